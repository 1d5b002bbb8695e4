"""Secrets that commands are given: none is shown where it was not asked for."""
