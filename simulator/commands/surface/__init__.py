"""What every command has in common: the list of them, help, formats, and how output ends."""
