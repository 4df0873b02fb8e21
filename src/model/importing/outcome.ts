/** The unit of a report's counts: rows, or values where a row holds several. */
export type CountedUnit = 'rows' | 'values';

/** The number of rows (or values) of one kind. */
export interface KindCount {
  /** A reason for rejected rows, or a kind of rows that are not read. */
  readonly kind: string;
  /** How many there are. */
  readonly count: number;
}

/**
 * The account of every row (or value) of the files: `rows` = `points` + `nulls` + `duplicates` + `conflicts` +
 * `rejectedRows` + `notReadRows`.
 */
export interface RowAccount {
  /** Whether all figures count rows or values. */
  readonly counts: CountedUnit;
  /** Rows of the files. */
  readonly rows: number;
  /** Points with a value, including those that the store already had. */
  readonly points: number;
  /** Points without a value, such as withheld figures, including those that the store already had. */
  readonly nulls: number;
  /** Rows that repeat another row of the import. */
  readonly duplicates: number;
  /** Rows that contradict another row of the import; none of them is stored. */
  readonly conflicts: number;
  /** Rejected rows. */
  readonly rejectedRows: number;
  /** Rejected rows by reason, most first; texts and numbers of a row are "…" in it. */
  readonly rejectedBy: readonly KindCount[];
  /** Rows that are not read on purpose. */
  readonly notReadRows: number;
  /** Rows that are not read by kind, most first. */
  readonly notRead: readonly KindCount[];
}

/** The changes of an import. */
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

/** The account of an import. `added` and `unchanged` together are its points and nulls. */
export interface ImportOutcome extends RowAccount, ImportCounts {
  /** The data set. */
  readonly dataset: string;
  /** Messages for the user, such as how an ambiguous name was resolved. */
  readonly notes: readonly string[];
}
