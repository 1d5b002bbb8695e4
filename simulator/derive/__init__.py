"""Computed from the catalogue: checks, samples, the reference. Nothing is kept between calls."""
