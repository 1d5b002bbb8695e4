"""The page of a terminal: a countertop, a tray of cards, a till, and what happened."""
