"""The hardware security module of the gateway: the keys of terminals."""
