"""One load run from its plan to its results."""
