/** The type of a column, in the words of no engine. A date is a point in time of milliseconds. */
export type ColumnType = 'integer' | 'number' | 'text' | 'boolean' | 'date';

/** The columns of a table, in order. */
export type Columns = Readonly<Record<string, ColumnType>>;
