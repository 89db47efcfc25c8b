"""Operations: the commands of operators."""
