"""The language model: a guest that is asked for verdicts and sentences, and checked."""
