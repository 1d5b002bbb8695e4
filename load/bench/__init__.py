"""Benchmarks of speed and size, each compared with the number the project promises."""
