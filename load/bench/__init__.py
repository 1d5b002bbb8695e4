"""The bench: figures of speed and size, each beside the number the project promises."""
