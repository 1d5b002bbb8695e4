"""The plan of a load run: what is sent where, by how many users, how fast and for how long."""
