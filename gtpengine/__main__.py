"""``python -m gtpengine``."""

import sys

from gtpengine.cli import main

sys.exit(main())
