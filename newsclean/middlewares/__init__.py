"""Downloader and spider middlewares, and the schedulers that two of them need."""
