"""TAT-QA (Zhu et al. 2021): questions over a table and its paragraphs, as documents of our own."""
