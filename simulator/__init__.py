"""Sandgate: a sandbox payment gateway."""
