"""`python -m newsclean`."""

import sys

from newsclean.cli import main

sys.exit(main())
