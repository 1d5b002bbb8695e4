"""Files that a command line names."""
