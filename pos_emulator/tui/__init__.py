"""The terminal in a text window."""
