"""Where the sample documents come from: plain data, texts and page layout (needs reportlab, in the `dev` extra)."""
