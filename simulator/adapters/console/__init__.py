"""What the console stands on: the file of its people, and Argon2id."""
