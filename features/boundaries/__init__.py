"""Boundary cases of every field, computed from the judge's own tables."""
