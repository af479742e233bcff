"""Values and pure rules. Knows no Qt, no clock, no files, no network and no other room."""
