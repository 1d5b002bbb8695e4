"""What merchants and others keep secret: nothing that Sandgate shows or keeps has it."""
