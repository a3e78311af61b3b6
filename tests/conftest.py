"""Set-up that every test shares: no screen, no colours, no writes to the user's settings."""

import os
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
