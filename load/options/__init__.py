"""The options of `sandgate load`."""
