"""Models that run on this machine: GGUF weights, each in a llama.cpp process of its own."""
