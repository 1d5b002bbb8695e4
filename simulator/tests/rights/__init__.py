"""Who may see or do what, at every route of the gateway."""
