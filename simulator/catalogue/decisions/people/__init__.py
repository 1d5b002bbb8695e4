"""Decisions about the people of a gateway: the console, lessons, classes."""
