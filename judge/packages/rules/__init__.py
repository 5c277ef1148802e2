"""Rules of package lint, a module a subject; each rule yields its findings."""
