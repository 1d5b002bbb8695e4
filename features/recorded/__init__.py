"""What earlier releases answered, and whether it is answered still. Source: Versioning, VER-02."""
