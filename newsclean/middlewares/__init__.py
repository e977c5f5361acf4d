"""Between the engine and the downloader."""
