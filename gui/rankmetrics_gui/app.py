"""`rankmetrics-gui`: starts the window."""

import sys

NEEDS = 'rankmetrics-gui needs PySide6: pip install "rankmetrics_nb[gui]"'


def main() -> int:
    """Open the window with an example in it; 0 when it is closed, 1 where Qt is missing."""
    try:
        from PySide6.QtWidgets import QApplication
    except ImportError as error:
        missing = "" if isinstance(error, ModuleNotFoundError) and (error.name or "").startswith("PySide6") else f" ({error})"
        print(NEEDS + missing, file=sys.stderr)
        return 1
    from rankmetrics_gui.main_window import MainWindow, dress

    app = QApplication.instance() or QApplication(sys.argv[:1])
    dress(app)
    window = MainWindow()
    window.show()
    return app.exec()


if __name__ == "__main__":
    sys.exit(main())
