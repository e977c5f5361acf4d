"""For spark-submit: archives to articles (docs/cluster.md)."""

import sys

from newsclean.cluster.spark import main

sys.exit(main())
