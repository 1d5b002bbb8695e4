"""Receipts of a terminal: one document, printed as text or drawn as a picture."""
