import fc from 'fast-check';

/**
 * Random tests try the same few cases for every mutant: a score does not change from one run to the next, and is no better
 * than what `npm test`, which tries more, would reach. A failure is not made smaller: nobody reads it.
 */
fc.configureGlobal({ seed: 1, numRuns: 40, endOnFailure: true });
