"""The only effects: disk, clock, chance, secrets. Everything above is handed them through ports."""
