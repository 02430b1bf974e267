"""What commands print as JSON, and what releases leave behind, as types; JSON Schemas are made from them."""
