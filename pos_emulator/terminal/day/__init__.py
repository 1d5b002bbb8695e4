"""The end of a day at a terminal: its totals, and what the gateway says otherwise."""
