"""What a request of a client can carry, and which answer of a server is its answer."""
