"""The rules for built pages: one a file, found by `site_builder.claims.rules.registry`."""
