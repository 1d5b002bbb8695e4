"""Boundary cases of every field, computed from the suite's own tables."""
