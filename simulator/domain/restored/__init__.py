"""What the records of a snapshot from outside must be before any of them is used."""
