"""A second gateway, small and with nothing in common with the first, for the judge to be fair to.

It is written from the specification alone, with the standard library alone. What it has is meant
to be right; what it lacks is missing. `python -m features.reference_gateway` serves it.
"""
