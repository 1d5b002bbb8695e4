"""`python -m features.mutants.sampled`: try sampled mutants, and write their figures and page."""

from features.mutants.sampled.commands import app

if __name__ == "__main__":
    app()
