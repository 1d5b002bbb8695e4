"""The documents the control API answers: one struct each, from which its JSON Schema is derived."""
