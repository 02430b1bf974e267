"""What each source prints, claim by claim, with the check that settles it; ``ours`` holds our own."""
