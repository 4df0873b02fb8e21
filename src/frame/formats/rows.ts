import type { Schema, Table } from 'apache-arrow';
import { isValid } from '../../columns/bitmap.js';
import { checkMap, checkObject, listOf, needed } from '../../model/arguments/checks.js';
import { checkOptions } from '../../model/arguments/option-keys.js';
import { ArgumentError, shownValue } from '../../model/errors.js';
import { formatTime } from '../../model/time.js';
import { buildTable } from '../table/build-table.js';
import { checkSchema } from '../table/check-table.js';
import { type FrameColumn, readColumns } from '../table/columns.js';
import { exactNumberText, inferColumnType, parseColumn } from '../table/parse-column.js';

/** A row of a frame by column: dates are ISO 8601 UTC with milliseconds and Z; null stays null. */
export type FrameRow = Record<string, string | number | null>;

const checkRows = needed(listOf(checkObject));

/** The rows of a frame as objects; meant for small frames. */
export function toRows(table: Table): FrameRow[] {
  const columns = readColumns(table).map(({ field, column }) => ({
    name: field.name,
    cell: cellReader(column),
  }));
  return Array.from({ length: table.numRows }, (_, row) =>
    Object.fromEntries(columns.map(({ name, cell }) => [name, cell(row)])),
  );
}

/**
 * A frame of rows. The columns are those of `schema`, or else of the first row; a field that a row lacks is null. The
 * columns of a long frame get their types by name; any other column is Float64 when all its values are numbers, else text.
 * @throws ArgumentError when a value does not fit the type of its column
 */
export function fromRows(
  rows: readonly FrameRow[],
  options: {
    /** The names and types of the columns. */
    schema?: Schema | undefined;
  } = {},
): Table {
  checkRows(rows, 'rows');
  checkOptions(options, { schema: checkSchema }, 'fromRows');
  const fields = new Map(options.schema?.fields.map((field) => [field.name, field]));
  const names = options.schema?.fields.map((field) => field.name) ?? Object.keys(rows[0] ?? {});
  const columns = names.map((name) => {
    const field = fields.get(name);
    const cells = rows.map((row) => row[name] ?? null);
    const numbers = cells.every((cell) => typeof cell !== 'string');
    const type = inferColumnType(name, numbers ? [] : ['a text'], field?.type);
    return { name, column: columnOfCells(cells, { name, type }), metadata: field?.metadata };
  });
  return buildTable(columns, options.schema?.metadata);
}

function columnOfCells(
  cells: readonly (string | number | null)[],
  { name, type }: { name: string; type: FrameColumn['type'] },
): FrameColumn {
  const texts = cells.map((cell) => cellText(cell, name));
  return parseColumn(texts, { name, type });
}

function cellText(cell: string | number | null, name: string): string | null {
  if (typeof cell === 'number') return exactNumberText(cell);
  if (typeof cell === 'string' || cell === null) return cell;
  throw new ArgumentError('rows', `rows: ${shownValue(cell)} in column "${name}" is no text, number or null`);
}

/** The columns of a frame by name, as typed arrays; a table of one batch is not copied. */
export function toColumns(table: Table): Record<string, FrameColumn> {
  return Object.fromEntries(readColumns(table).map(({ field, column }) => [field.name, column]));
}

/**
 * A frame that shares the memory of typed arrays.
 * @throws ArgumentError when the columns differ in length
 */
export function fromColumns(
  columns: Record<string, FrameColumn>,
  options: {
    /** Metadata of the Arrow schema. */
    metadata?: ReadonlyMap<string, string> | undefined;
  } = {},
): Table {
  checkOptions(options, { metadata: checkMap }, 'fromColumns');
  const named = Object.entries(columns).map(([name, column]) => ({ name, column }));
  return buildTable(named, options.metadata);
}

function cellReader(column: FrameColumn): (row: number) => string | number | null {
  const value = valueReader(column);
  return (row) => (isValid(column.valid, row) ? value(row) : null);
}

function valueReader(column: FrameColumn): (row: number) => string | number | null {
  switch (column.type) {
    case 'timestamp':
      return (row) => formatTime(Number(column.values[row]));
    case 'dictionary':
      return (row) => column.categories[column.values[row]!] ?? null;
    default:
      return (row) => column.values[row] ?? null;
  }
}
