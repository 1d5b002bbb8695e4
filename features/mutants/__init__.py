"""Mutants: gateways that are broken on purpose, which the conformance suite must kill."""
