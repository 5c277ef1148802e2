"""The shapes of requests and answers. Requests refuse unknown fields, so that typos are found."""
