"""Proofs that take too long for the test suite. Each returns its figures."""
