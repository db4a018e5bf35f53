"""Sciences of subjects that somebody names: a reward model of the size that is asked about, runs of a large policy.

One science a file, each with one `SCIENCE`, beside the small one in `lens/studies/sciences` whose question it asks and
whose own code it reads with, so that both read alike. Its pilot and null subjects are small: an organism, which is
read just as a large model is.
"""
