"""How long one request holds others: with hostile values, and in a sandbox that is full."""
