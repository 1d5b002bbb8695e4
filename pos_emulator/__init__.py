"""The terminal: cards, keys, receipts. A program of its own that speaks HTTP to the gateway."""
