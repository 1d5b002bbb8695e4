"""Proofs of terminals: keys, counters, faults and the first payment."""
