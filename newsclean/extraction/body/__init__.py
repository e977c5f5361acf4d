"""From chosen rows back to what people and indexes read: clean HTML, Markdown and plain text."""
