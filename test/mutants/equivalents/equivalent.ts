/** Mutants of one line that compute the same as the code. */
export interface Equivalent {
  /** The line as it stands, without its indent. */
  readonly line: string;
  /** The changes as `npm run mutants` prints them. */
  readonly changes: readonly string[];
  /** Why nobody can tell the difference. */
  readonly reason: string;
}

/** By file. A test fails when a line is no longer there. */
export type Equivalents = Readonly<Record<string, readonly Equivalent[]>>;

export const SLOWER = 'a short cut: what follows computes the same, and takes longer';
export const BEYOND = 'writes past the end of a typed array, and what is read there, change nothing';
export const OVERWRITTEN = 'what is written too far is written again by the next range, or past the end';
export const NEVER_EMPTY = 'a run of points is never empty';
export const NOT_ZERO = 'the count is only compared with zero';
export const TIED = 'the order of equal rows is not promised';
export const CHECKED_BEFORE = 'the name stands in an error that an earlier check has thrown already';
export const CONTINUOUS = 'both sides compute the same at the boundary itself';
export const NAN_ANYWAY = 'what follows computes NaN from NaN';
export const VERTICAL =
  'only the vertical cut-off gets here, which has neither degree days nor a slope above the cap';
export const OUTSIDE =
  'what is read outside an array equals nothing, as the check says before; it only takes longer';
export const SHARED = 'memory that is shared holds these values already, NaN in null rows included';
export const PLACED = 'the columns are in the order of their series, whatever that of the runs';
export const SORTED = 'rows that are in order are sorted once more, which changes nothing and takes longer';
export const UNNAMED = 'units are only looked at where there are names';
