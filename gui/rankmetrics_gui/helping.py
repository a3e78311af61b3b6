def install(window) -> None:
    pass


def welcome(window) -> None:
    pass
