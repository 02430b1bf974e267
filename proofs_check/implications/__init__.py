"""Does a privacy definition imply a requirement? Decided exactly on a finite universe."""
