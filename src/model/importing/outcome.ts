/** What an import report counts: rows, or values if a row contains several values. */
export type CountedUnit = 'rows' | 'values';

/** The number of rows or values that were rejected for one reason, or skipped because they are of one kind. */
export interface KindCount {
  /** The reason for rejecting the rows, or the kind of rows that were skipped. */
  readonly kind: string;
  /** The number of these rows or values. */
  readonly count: number;
}

/**
 * What happened to every row (or value) in the files: `rows` = `points` + `nulls` + `duplicates` + `conflicts` +
 * `rejectedRows` + `notReadRows`.
 */
export interface RowAccount {
  /** Whether the other properties count rows or values. */
  readonly counts: CountedUnit;
  /** The number of rows in the files. */
  readonly rows: number;
  /** The number of points with a value, including points already in the store. */
  readonly points: number;
  /** The number of points without a value, such as withheld figures, including points already in the store. */
  readonly nulls: number;
  /** The number of rows that repeat another row of the import. */
  readonly duplicates: number;
  /** The number of rows that contradict another row of the import. None of these rows are stored. */
  readonly conflicts: number;
  /** The number of rejected rows. */
  readonly rejectedRows: number;
  /** Rejected rows by reason, most frequent first. In the reason, "…" replaces strings and numbers from the row. */
  readonly rejectedBy: readonly KindCount[];
  /** The number of rows that were skipped intentionally. */
  readonly notReadRows: number;
  /** Skipped rows by kind, most frequent first. */
  readonly notRead: readonly KindCount[];
}

/** How many changes an import made. */
export interface ImportCounts {
  /** The number of new vintages. A vintage is a value as it was available on a date. */
  readonly added: number;
  /** The number of new vintages for periods that already had a vintage. */
  readonly revised: number;
  /** The number of vintages that were already in the store. */
  readonly unchanged: number;
  /** The number of series that were added or changed. */
  readonly series: number;
  /** The number of entities that were added or changed. */
  readonly entities: number;
}

/** The result of an import. `added` plus `unchanged` equals `points` plus `nulls`. */
export interface ImportOutcome extends RowAccount, ImportCounts {
  /** The name of the data set. */
  readonly dataset: string;
  /** Messages for the user, such as how an ambiguous name was resolved. */
  readonly notes: readonly string[];
}
