"""Chat models: the extractive reader, local models, Ollama, and any OpenAI-compatible server."""
