module evil {}
