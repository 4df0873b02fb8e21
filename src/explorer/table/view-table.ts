/** A period, from its first to its last day, as UTC milliseconds. */
interface PeriodCell {
  readonly start: number;
  readonly end: number;
}

/** A cell of a table. A missing value is null or NaN, and a cell without any point is `undefined`. */
export type Cell = PeriodCell | string | number | null | undefined;

export interface Column {
  readonly name: string;
  /** The heading in files, where nothing else says what the values are; by default, the name. */
  readonly fullName?: string;
  readonly unit?: string;
  /** The values that determine the decimal places (see `decimalsOf`). If absent, the column has whole numbers. */
  readonly figures?: Float64Array | readonly number[];
}

/** The table of a view, as shown and as saved. Tables of periods are in date order. */
export interface ViewTable {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
}

export const isPeriod = (cell: Cell): cell is PeriodCell => typeof cell === 'object' && cell !== null;
