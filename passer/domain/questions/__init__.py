"""Questions drafted by models from documents: windows, checks by code, drafts and their review."""
