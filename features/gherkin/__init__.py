"""Feature files and step definitions: how they are read, checked and listed."""
