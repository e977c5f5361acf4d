"""Trees that tell articles from other pages: learned, measured, drawn, explained."""
