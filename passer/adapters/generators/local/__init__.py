"""Models that run on this machine: GGUF weights, each in its own llama.cpp process."""
