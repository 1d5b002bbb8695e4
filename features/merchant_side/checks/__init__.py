"""The checks of a merchant's side."""
