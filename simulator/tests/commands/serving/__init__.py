"""Tests of `sandgate serve`: a gateway process, its start, memory and end."""
