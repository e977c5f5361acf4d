"""Pages in Chromium: rendered HTML and snapshots. Needs the extra `newsclean[browser]`."""
