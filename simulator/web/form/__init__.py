"""What a shopper's browser gets and sends: the script, and posts without an access token."""
