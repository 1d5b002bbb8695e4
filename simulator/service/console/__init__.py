"""What people do in the console."""
