"""Starts of the command line that tests ask for, forked from a process that has imported it."""
