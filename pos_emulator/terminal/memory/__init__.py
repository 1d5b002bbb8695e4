"""What a terminal keeps without power, beside its keys: who it is, and its journal."""
