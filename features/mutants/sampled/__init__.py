"""Sampled mutants: changes that a tool makes in the source of the gateway, drawn by a seed."""
