"""Figures measured inside the process of a gateway, by scripts among its own tests."""
