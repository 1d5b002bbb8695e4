"""The commands of `sandgate`, one module a subject, imported when called."""
