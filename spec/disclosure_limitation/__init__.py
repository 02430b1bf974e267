"""What statistical agencies do instead of formal privacy (Webb et al. 2025, Sections 2.2 and 4)."""
