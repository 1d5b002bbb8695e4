"""The steps of the suite, by noun. Each is one call, through one client, over a socket."""
