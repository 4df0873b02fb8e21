/** The unit of a report's counts: rows, or values if a row holds several. */
export type CountedUnit = 'rows' | 'values';

/** The number of rows (or values) of one kind. */
export interface KindCount {
  /** The reason for rejecting rows, or the kind of rows skipped. */
  readonly kind: string;
  /** The number of rows of this kind. */
  readonly count: number;
}

/**
 * The account of every row (or value) in the files: `rows` = `points` + `nulls` + `duplicates` + `conflicts` +
 * `rejectedRows` + `notReadRows`.
 */
export interface RowAccount {
  /** Whether the counts are of rows or of values. */
  readonly counts: CountedUnit;
  /** The number of rows in the files. */
  readonly rows: number;
  /** The number of points with a value, including points already in the store. */
  readonly points: number;
  /** The number of points without a value, such as withheld figures, including points already in the store. */
  readonly nulls: number;
  /** The number of rows that repeat another row of the import. */
  readonly duplicates: number;
  /** The number of rows that contradict another row of the import. None of them is stored. */
  readonly conflicts: number;
  /** The number of rejected rows. */
  readonly rejectedRows: number;
  /** Rejected rows by reason, most frequent first. "…" replaces the strings and numbers of a row in the reason. */
  readonly rejectedBy: readonly KindCount[];
  /** The number of rows skipped on purpose. */
  readonly notReadRows: number;
  /** Skipped rows by kind, most frequent first. */
  readonly notRead: readonly KindCount[];
}

/** The changes that an import made. */
export interface ImportCounts {
  /** New vintages. */
  readonly added: number;
  /** New vintages of periods that already had one. */
  readonly revised: number;
  /** Vintages that were already in the store. */
  readonly unchanged: number;
  /** Series that were added or changed. */
  readonly series: number;
  /** Entities that were added or changed. */
  readonly entities: number;
}

/** The account of an import. `added` plus `unchanged` equals `points` plus `nulls`. */
export interface ImportOutcome extends RowAccount, ImportCounts {
  /** The data set. */
  readonly dataset: string;
  /** Messages for the user, such as how an ambiguous name was resolved. */
  readonly notes: readonly string[];
}
