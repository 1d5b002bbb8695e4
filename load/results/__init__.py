"""The results of a load run: figures, knee, thresholds and exit status."""
