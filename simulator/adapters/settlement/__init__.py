"""Files of settlement: those of the institutes, and those merchants fetch."""
