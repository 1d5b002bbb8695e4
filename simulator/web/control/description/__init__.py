"""How the control API describes itself: OpenAPI, and the schemas of its documents."""
