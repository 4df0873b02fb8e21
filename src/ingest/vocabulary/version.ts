/**
 * The version of the words by which importers name series. It is incremented when names that became one series are told
 * apart; `findMergedSeries` then lists them for the stores of older versions.
 */
export const VOCABULARY_VERSION = 1;
