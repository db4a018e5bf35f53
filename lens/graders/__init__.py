"""Program grader audits: a grader is a measuring device, and a card says what it can and can't tell apart."""
