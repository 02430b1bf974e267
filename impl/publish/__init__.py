"""What answers a table or a plan: from confidential data to released tables and their record."""
