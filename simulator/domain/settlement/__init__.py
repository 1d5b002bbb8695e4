"""Settlement on the gateway's side: what it makes of the lines of clearing institutes."""
