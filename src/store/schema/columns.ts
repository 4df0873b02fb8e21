/** A column's type, independent of the engine. A `date` is a time in milliseconds. */
export type ColumnType = 'integer' | 'number' | 'text' | 'boolean' | 'date';

export type Columns = Readonly<Record<string, ColumnType>>;
