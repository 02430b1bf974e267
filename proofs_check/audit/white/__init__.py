"""The white wing: certify or refute a mechanism whose law is given, without sampling."""
