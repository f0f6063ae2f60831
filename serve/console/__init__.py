"""The operator console: pages rendered on the server, one stylesheet, one script, no other host."""
