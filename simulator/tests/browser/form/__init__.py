"""The hosted form in pages of shops, under attack, by the numbers, and for everybody."""
