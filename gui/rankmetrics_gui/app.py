"""`rankmetrics-gui`: starts the window."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Sequence

if TYPE_CHECKING:
    from rankmetrics_gui.main_window import MainWindow

ICON = Path(__file__).parent / "data" / "icon.svg"
NEEDS = 'rankmetrics-gui needs PySide6: pip install "rankmetrics_nb[gui]"'


def start(paths: Sequence[str] = ()) -> MainWindow:
    """The window with these files; without any, as it was when it was closed."""
    from rankmetrics_gui import helping, keeping
    from rankmetrics_gui.main_window import MainWindow

    window = MainWindow()
    restored = window.keeping.start()
    if paths:
        keeping.open_paths(window, list(paths))
    elif not restored:
        helping.welcome(window)
    return window


def main(paths: Sequence[str] | None = None) -> int:
    """Open the window with files, or those of the command line; 0 when it is closed, 1 where Qt is missing."""
    if paths is None:
        parser = argparse.ArgumentParser("rankmetrics-gui", description="The desktop calculator: drag a document, see every number and why.")
        parser.add_argument("files", nargs="*", help="a session (.json), or a run and its judgements")
        paths = parser.parse_args().files
    try:
        from PySide6.QtGui import QIcon
        from PySide6.QtWidgets import QApplication
    except ImportError as error:
        missing = "" if isinstance(error, ModuleNotFoundError) and (error.name or "").startswith("PySide6") else f" ({error})"
        print(NEEDS + missing, file=sys.stderr)
        return 1
    from rankmetrics_gui import translating
    from rankmetrics_gui.main_window import dress

    app = QApplication.instance() or QApplication(sys.argv[:1])
    app.setDesktopFileName("rankmetrics")
    app.setWindowIcon(QIcon(str(ICON)))
    translating.load(app)
    dress(app)
    window = start(paths)
    window.show()
    return app.exec()


if __name__ == "__main__":
    sys.exit(main())
