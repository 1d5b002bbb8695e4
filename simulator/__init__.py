"""Sandgate: a sandbox payment gateway."""

__version__ = "0.1.0"
