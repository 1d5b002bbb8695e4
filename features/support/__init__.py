"""What scenarios work with: fixtures, the merchant, the shopper and their assertions."""
