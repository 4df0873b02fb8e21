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
export const EQUIVALENTS: Readonly<Record<string, readonly Equivalent[]>> = {};
