"""What no mechanism can beat: least errors, enclosed by certificates and by mechanisms that attain them."""
