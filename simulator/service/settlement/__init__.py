"""Settlement: runs of clearing institutes, booked and delivered."""
