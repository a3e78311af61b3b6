def install(window) -> None:
    pass
