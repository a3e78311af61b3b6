"""What is kept: settings, the session of every moment, files of sessions, and which were used last.

Everything lies in one folder of this user (`folder()`); the environment variable RANKMETRICS_HOME names another.
"""

import json
import os
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QIODevice, QLockFile, QObject, QSaveFile, QSettings, QStandardPaths, QTime, QTimer
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QFileDialog, QMenu

from rankmetrics_gui import palette as look
from rankmetrics_nb.relevance import DataError
from rankmetrics_nb.session import FORMAT, Session, from_json, to_json

HOME = "RANKMETRICS_HOME"
AUTOSAVE = "rankmetrics autosave"
PAUSE = 300  # milliseconds between a change and its autosave
MOST_RECENT, MOST_WINDOWS = 8, 20


def _tr(text: str) -> str:
    return QCoreApplication.translate("keeping", text)


def folder() -> Path:
    """Where the settings and the autosaved sessions lie."""
    return Path(os.environ.get(HOME) or Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericConfigLocation)) / "rankmetrics")


def write(path: Path, text: str) -> None:
    """Write a file so that a crash leaves the old one or the new one, never a half."""
    path.parent.mkdir(parents=True, exist_ok=True)
    file = QSaveFile(str(path))
    if not file.open(QIODevice.OpenModeFlag.WriteOnly) or file.write(text.encode("utf-8")) < 0 or not file.commit():
        raise OSError(_tr("{0} cannot be written: {1}").format(path, file.errorString()))


def is_session(path: str) -> bool:
    """Is this the file of a session? Any other JSON is data."""
    if not path.lower().endswith(".json"):
        return False
    try:
        with open(path, encoding="utf-8") as file:
            return FORMAT in file.read(100_000)
    except (OSError, UnicodeDecodeError):
        return False


class Slot:
    """One autosaved session. Each window of the program has its own, also when several run."""

    def __init__(self):
        folder().mkdir(parents=True, exist_ok=True)
        for number in range(1, MOST_WINDOWS + 1):
            self.path = folder() / f"autosave-{number}.json"
            self.lock = QLockFile(str(self.path) + ".lock")
            self.lock.setStaleLockTime(0)  # only the end of its process frees a lock
            if self.lock.tryLock(0):
                return

    def read(self) -> dict:
        """What was written last; empty where nothing was, or nothing that can be read."""
        try:
            data = json.loads(self.path.read_text(encoding="utf-8"))
            return data if isinstance(data, dict) and data.get("format") == AUTOSAVE else {}
        except (OSError, ValueError):
            return {}


class Keeping(QObject):
    """Files, autosave and settings of one window. Without `start` it leaves the disk alone."""

    def __init__(self, window):
        super().__init__(window)
        self.window, self.slot, self.settings = window, None, None
        self.timer = QTimer(self, singleShot=True, interval=PAUSE)
        self.timer.timeout.connect(self.autosave)
        self.open_action = self._action(_tr("Open…"), self.ask_open, QKeySequence.StandardKey.Open, _tr("A session, a run or judgements"))
        self.save_action = self._action(_tr("Save session"), self.save, QKeySequence.StandardKey.Save)
        self.save_as_action = self._action(_tr("Save session as…"), self.ask_save, QKeySequence("Ctrl+Shift+S"))
        self.recent_menu = QMenu(_tr("Recent files"), window.open_menu)
        window.open_menu.addAction(self.open_action)
        window.open_menu.addMenu(self.recent_menu)
        window.open_menu.addSeparator()
        window.open_menu.addActions([self.save_action, self.save_as_action])
        window.history.indexChanged.connect(lambda _: self.timer.start() if self.slot else None)
        self._show_recent([])

    def _action(self, words: str, done, keys, tip: str = "") -> QAction:
        action = QAction(words, self.window)
        action.setShortcut(keys)
        action.setToolTip(tip or words)
        action.triggered.connect(lambda checked=False: done())
        self.window.addAction(action)
        return action

    # files
    def ask_open(self) -> None:
        """A dialog for every kind of file."""
        paths, _ = QFileDialog.getOpenFileNames(self.window, _tr("Open"), self._last_folder(), _tr("All files (*);;Sessions (*.json)"))
        open_paths(self.window, paths)

    def open_session(self, path: str) -> None:
        """The session of a file; what is wrong with it is said, and the old session stays."""
        try:
            session = from_json(Path(path).read_text(encoding="utf-8"), Path(path).name)
        except UnicodeDecodeError:
            self.window.say(_tr("{0} is not UTF-8 text, so it is no session. The session before stays.").format(path))
        except OSError as error:
            self._forget(path)
            self.window.say(_tr("{0} cannot be read: {1}. The session before stays.").format(path, error.strerror))
        except DataError as error:
            self.window.say(_tr("{0}. The session before stays.").format(error))
        else:
            self.window.open_session(session, _tr("Open {0}").format(Path(path).name), os.path.abspath(path))
            self.remember(path)

    def ask_save(self) -> None:
        """A dialog for the place of the file."""
        start = self.window.path or str(Path(self._last_folder()) / f"{_file_name(self.window.session)}.json")
        path, _ = QFileDialog.getSaveFileName(self.window, _tr("Save session"), start, _tr("Sessions (*.json)"))
        if path:
            self.save(path if Path(path).suffix else f"{path}.json")

    def save(self, path: str = "") -> None:
        """Write the session into its file, or into another one."""
        path = path or self.window.path
        if not path:
            self.ask_save()
            return
        try:
            write(Path(path), to_json(self.window.session) + "\n")
        except OSError as error:
            self.window.say(str(error))
            return
        self.window.saved(os.path.abspath(path))
        self.remember(path)
        self.timer.start()

    def _last_folder(self) -> str:
        recent = self._recent()
        return str(Path(self.window.path or recent[0]).parent) if self.window.path or recent else QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)

    # recent files
    def _recent(self) -> list[str]:
        kept = self.settings.value("recent", []) if self.settings else []
        return [kept] if isinstance(kept, str) else list(kept or [])

    def remember(self, path: str) -> None:
        """Put a file at the top of the recent ones."""
        path = os.path.abspath(path)
        self._keep_recent([path, *(known for known in self._recent() if known != path)][:MOST_RECENT])

    def _forget(self, path: str) -> None:
        self._keep_recent([known for known in self._recent() if known != os.path.abspath(path)])

    def _keep_recent(self, paths: list[str]) -> None:
        if self.settings is not None:
            self.keep("recent", paths)
            self._show_recent(paths)

    def _show_recent(self, paths: list[str]) -> None:
        self.recent_menu.clear()
        for path in paths:
            action = self.recent_menu.addAction(Path(path).name)
            action.setToolTip(path)
            action.triggered.connect(lambda checked=False, path=path: open_paths(self.window, [path]))
        self.recent_menu.setToolTipsVisible(True)
        self.recent_menu.setEnabled(bool(paths))
        if paths:
            self.recent_menu.addSeparator()
            self.recent_menu.addAction(_tr("Clear this list")).triggered.connect(lambda: self._keep_recent([]))

    # settings
    def keep(self, name: str, value) -> None:
        """Write one setting at once."""
        if self.settings is not None:
            self.settings.setValue(name, value)
            self.settings.sync()

    def kept(self, name: str, default=None):
        """A setting; the default where there is none."""
        return default if self.settings is None else self.settings.value(name, default)

    def keep_view(self) -> None:
        self.keep("theme", self.window.viewing.theme)
        self.keep("zoom", look.zoom())

    # every moment
    def start(self) -> bool:
        """Take the settings of this user, and the session as it was when the program ended; True where there was one."""
        folder().mkdir(parents=True, exist_ok=True)
        self.settings = QSettings(str(folder() / "settings.ini"), QSettings.Format.IniFormat)
        self._show_recent(self._recent())
        if self.kept("geometry") is not None:
            self.window.restoreGeometry(self.kept("geometry"))
        self._take_view()
        self.window.viewing.changed.connect(self.keep_view)
        self.window.helping.start()
        self.slot = Slot()
        return self._restore(self.slot.read())

    def _take_view(self) -> None:
        try:
            zoom = float(self.kept("zoom", 1.0))
        except (TypeError, ValueError):
            zoom = 1.0
        self.window.viewing.start(str(self.kept("theme", "system")), zoom)

    def _restore(self, data: dict) -> bool:
        if "session" not in data:
            return False
        try:
            session = from_json(json.dumps(data["session"]), str(self.slot.path))
        except DataError as error:
            self.window.say(_tr("The last session cannot be restored: {0}").format(error))
            return False
        self.window.restore(session, str(data.get("path", "")), bool(data.get("changed")), str(data.get("picked", "")), bool(data.get("large")))
        return True

    def autosave(self) -> None:
        """Write everything that a kill would lose."""
        self.timer.stop()
        if self.slot is None:
            return
        window = self.window
        state = {"path": window.path, "changed": window.isWindowModified(), "picked": window.picked, "large": window.helping.is_large()}
        try:
            write(self.slot.path, json.dumps({"format": AUTOSAVE, **state, "session": json.loads(to_json(window.session))}))
        except OSError as error:
            window.say(str(error))
            return
        window.saved_words.setText(_tr("Kept {0}").format(QTime.currentTime().toString("HH:mm")))

    def end(self) -> None:
        """The window is closed: nothing is asked, for nothing is lost."""
        if self.slot is not None:
            self.autosave()
            self.keep("geometry", self.window.saveGeometry())
            self.slot.lock.unlock()
            self.slot = None


def open_paths(window, paths: list[str]) -> None:
    """Open files: sessions here, runs and judgements where data are entered."""
    sessions = [path for path in paths if is_session(path)]
    data = [path for path in paths if path not in sessions]
    if sessions:
        window.keeping.open_session(sessions[-1])
    if data:
        _open_data(window, data)


def _open_data(window, paths: list[str]) -> None:
    missing = [path for path in paths if not os.path.exists(path)]
    for path in missing:
        window.keeping.open_session(path)  # says why it cannot be read
    try:
        from rankmetrics_gui.entering import open_paths as open_data
    except ImportError:
        for path in paths:
            window.keeping.open_session(path)
        return
    if len(missing) < len(paths):
        open_data(window, [path for path in paths if path not in missing])


def _file_name(session: Session) -> str:
    words = "".join(letter if letter.isalnum() else " " for letter in session.name).split()
    return "-".join(words) or "session"


def install(window) -> None:
    """Open, save and recent files for a window."""
    window.keeping = Keeping(window)
