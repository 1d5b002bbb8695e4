"""Scripted terminals: stories in YAML, and terminals whose card and PIN are given in advance."""
