"""Mutants against corpora, seen from the audit: what to run, in which batches, and what the results mean.

observe     every row asked once plain and once followed: outcomes, and the lines each row runs through
design      what a campaign will cost, and from that the rows and the mutants that are run
sample      a seeded sample of mutants, stratified by operator and function
run         the campaign itself, in batches fixed by the inputs; time-outs and a share of mutants run again alone
estimate    counts and rates with their intervals
witness     inputs made to tell surviving mutants from the original
triage      what surviving means, mutant by mutant
arcs        branch arcs of the reachable functions, as coverage.py defines them
"""
