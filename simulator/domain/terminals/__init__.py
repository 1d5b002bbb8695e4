"""Terminals at the point of sale: their records, their keys' serial numbers, what they read."""
