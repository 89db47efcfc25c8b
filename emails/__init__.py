"""Mail as a medium: how it comes in and is read, how it is composed and goes out."""
