"""Records, transition tables and decisions. Pure: time, ids and replies are handed in."""
