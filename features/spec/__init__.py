"""The suite's own transcription of the specification. It shares nothing with the gateway."""
