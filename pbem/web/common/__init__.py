"""What pages share: context, errors, forms, the current user, and limits."""
