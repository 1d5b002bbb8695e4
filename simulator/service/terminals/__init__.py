"""Terminals of a sandbox, and what they send with a payment."""
