"""The noise map: the original page with what was kept, what was removed, and why."""
