"""The clearing institutes: what each movement costs, what is paid when, and the files about it."""
