"""What virtual users send, and which responses to it are correct."""
