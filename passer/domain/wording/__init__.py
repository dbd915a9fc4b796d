"""What PaSSER says in sentences: English templates by code, and sentences that know what they were made of."""
