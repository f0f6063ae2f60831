"""A question to an answer with its proof: the stages, the graph that orders them, the service."""
