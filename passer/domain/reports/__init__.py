"""Reports as data: sections with tables and figures."""
