"""Paying in the currency of the card: the offer, and the rates it is made at."""
