"""What the gateway's own pages show."""
