"""The mutants, a module for each subject."""
