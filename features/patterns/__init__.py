"""The seven patterns: how each requirement is tried, and why a pattern does not apply to it."""
