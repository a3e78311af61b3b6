"""Set-up that every test shares: no screen, no colours, no writes to the user's settings."""

import os
import sys
import tempfile

import needs
import pytest

_settings = tempfile.TemporaryDirectory(prefix="rankmetrics-tests-")
os.environ["QT_QPA_PLATFORM"] = os.environ.get("QT_QPA_PLATFORM", "offscreen")
os.environ["XDG_CONFIG_HOME"] = _settings.name
os.environ["NO_COLOR"] = "1"
os.environ["COLUMNS"] = "120"
os.environ["MPLBACKEND"] = "agg"
# One order of sets in all test processes, another on the next run: names of test cases agree, and nothing gets to rely on the order.
os.environ.setdefault("PYTHONHASHSEED", str(os.getpid()))
for name in ("FORCE_COLOR", "CLICOLOR_FORCE"):
    os.environ.pop(name, None)

if needs.missing("PySide6.QtWidgets", "pytestqt") is None:
    pytest_plugins = ["pytestqt.plugin"]
else:

    @pytest.fixture
    def qtbot():
        """Stands in for the fixture of pytest-qt where Qt cannot be loaded."""
        needs.qt()

if needs.missing("hypothesis") is None:
    import hypothesis

    # A busy machine must not fail a test by its time, and a failure must come back on the next run.
    hypothesis.settings.register_profile("steady", deadline=None, derandomize=True)
    hypothesis.settings.load_profile("steady")


@pytest.fixture
def rankmetrics(monkeypatch, capfdbinary):
    """Calls the program in this process, as a terminal would: (exit code, standard output, standard error)."""

    def call(*words):
        from rankmetrics_nb.cli import main

        monkeypatch.setattr(sys, "argv", ["rankmetrics", *map(str, words)])
        try:
            main()
            code = 0
        except SystemExit as end:
            code = end.code
        sys.stdout.flush()
        out, err = (part.decode("utf-8", "surrogateescape") for part in capfdbinary.readouterr())
        if isinstance(code, str):  # the interpreter prints it and ends with 1
            code, err = 1, err + code + "\n"
        return code or 0, out, err

    return call
