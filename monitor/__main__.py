"""`python -m monitor` is the command `table-monitor`."""

import sys

from monitor.cli import main

sys.exit(main())
