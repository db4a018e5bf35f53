"""Mutants against corpora, seen from the audit: what to run, in which batches, and what the results mean.

observe     every row asked once plain and once followed: outcomes, and the lines each row runs through
design      what a campaign will cost, and from that the rows and the mutants that are run
sample      a seeded sample of mutants, stratified by operator and function
session     sandbox sessions: a batch of mutants, one mutant alone
run         the campaign itself, in batches fixed by the inputs; time-outs and a share of mutants run again alone
estimate    counts and rates with their intervals
witness     inputs made to tell surviving mutants from the original
triage      what surviving means, mutant by mutant
judge       whether a corpus can see the grader at all
pricing     what all this will cost, from a few rows
files       how source files are named
compiled    the engine, compiled before workers load it
arcs        branch arcs of the reachable functions, as coverage.py defines them
"""
