"""The same documents, weights and questions through other frameworks (extra `peers`), side by side with allrows."""
