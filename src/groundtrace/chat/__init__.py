"""Language models behind an OpenAI-compatible server that the user named."""
