"""Benchmark and proof figures: the records, the files, the machine they were measured on."""
