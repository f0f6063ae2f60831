"""Files to pages, lines, tables and outline, to chunks, to vectors, to the store."""
