"""The target of a conformance run: its file, what it offers, and whether it can be reached."""
