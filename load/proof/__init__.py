"""Proofs that take too long for the suite. Each prints its figures as JSON."""
