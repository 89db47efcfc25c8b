"""What several pages share: lookups, seat links, URLs, pictures of boards."""
