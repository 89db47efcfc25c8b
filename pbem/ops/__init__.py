"""Operations: commands of whoever runs the service."""
