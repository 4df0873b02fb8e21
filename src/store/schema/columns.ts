/** The type of a column, independent of the engine. A date is a time in milliseconds. */
export type ColumnType = 'integer' | 'number' | 'text' | 'boolean' | 'date';

/** The columns of a table, in order. */
export type Columns = Readonly<Record<string, ColumnType>>;
