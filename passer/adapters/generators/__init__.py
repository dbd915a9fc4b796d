"""Generators: Ollama, any OpenAI-compatible server, and the embedded extractive reader; import the one needed."""
