"""TLS as the gateway speaks it, on either side."""
