"""`python -m rankmetrics_gui`."""

import sys

from rankmetrics_gui.app import main

sys.exit(main())
