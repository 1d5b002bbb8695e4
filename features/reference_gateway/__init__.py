"""The reference gateway: a small independent implementation that the suite is tested against.

It is written from the specification alone, with the standard library alone. The scenarios that fail
for what it lacks are listed in `lacking.csv`. `python -m features.reference_gateway` serves it.
"""
