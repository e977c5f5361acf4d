"""A real browser that shows a page: needs the extra `newsclean[browser]` and Chromium."""
