"""What the specification says, one file a group of tables, as aligned rows. Data only."""
