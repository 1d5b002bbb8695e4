"""Load: users, shapes, checks, against any gateway. Imported by nobody: its library patches."""
