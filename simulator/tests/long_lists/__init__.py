"""Lists without an end."""
