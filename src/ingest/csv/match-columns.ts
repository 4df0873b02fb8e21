import { IngestError } from '../../model/errors.js';
import type { RowText } from '../../store/store.js';
import { matchesDateFormat, parseFormattedDate } from '../reading/dates.js';
import { columnFinder, hasColumns } from '../reading/tables.js';
import type { Named } from './mapping.js';
import type { Mapping } from './parse-mapping.js';

/**
 * Finds the columns of a mapping in the header of a table: those that it names, the columns of values, and the parts of a
 * first column that holds several; with the names of those that are not read.
 * @throws IngestError when the table lacks one
 */
export function matchColumns(file: string, header: readonly string[], mapping: Mapping) {
  const { start_date } = mapping;
  const columns = readColumns(header);
  const names = columns.map(({ name }) => name);
  const find = columnFinder(names, { dataset: 'csv', file });
  const columnOf = (name: string) => columns[find(name)]!;
  const isRead = (name: string) => !isOptional(name, mapping) || hasColumns(names, [name]);
  const wanted = mappedColumns(mapping).filter(isRead);
  const named = new Map(wanted.map((name) => [name, columnOf(name)]));
  const values =
    'header' in start_date
      ? datedColumns(columns, start_date.header, file)
      : mapping.values.map(({ column }) => ({ ...named.get(column)!, name: column, startMs: null }));
  if (values.length > MAX_VALUE_COLUMNS) {
    const found = values.length.toLocaleString('en-US');
    const message = `${file} has ${found} columns of values, and up to ${MAX_VALUE_COLUMNS} are read; split the table, or give each value a row`;
    throw new IngestError('csv', message, { file, row: 1 });
  }
  const read = new Set([...named.values(), ...values].map(({ text }) => text));
  const notRead = columns.flatMap(({ name, text, repeats }, i) => {
    // With dates in the header, rows may end in a delimiter.
    const isEnd = 'header' in start_date && name === '' && !repeats;
    if (read.has(text) || isEnd) return [];
    return name === '' ? `column ${i + 1}` : repeats ? `${name} (column ${i + 1})` : name;
  });
  return { named, values, notRead, parts: columns.filter(({ text }) => typeof text !== 'number') };
}

/**
 * The engine stores two columns for each value column of a table. 2,000 of them exhaust its memory, however few the
 * rows.
 */
const MAX_VALUE_COLUMNS = 1500;

/** Checks whether a column may be absent. */
const isOptional = (name: string, { flag }: Mapping): boolean =>
  typeof flag === 'object' && 'optional' in flag && flag.column === name;

/**
 * The columns that are named by the date of their values. Of dates that the header repeats, the first is read; the others are
 * counted as not read.
 * @throws IngestError when there is none
 */
function datedColumns(columns: readonly TableColumn[], format: string, file: string) {
  const dated = columns.filter(({ name, repeats }) => !repeats && matchesDateFormat(name, format));
  if (dated.length > 0)
    return dated.map((column) => ({ ...column, startMs: parseFormattedDate(column.name, format) }));
  const message = `${file} has no column named by a date of the format ${format}`;
  throw new IngestError('csv', message, { file, row: 1 });
}

/** The first column of Eurostat's TSV files: the names of the dimensions, and after a backslash that of the other columns. */
const KEY = /^([^\\]+)\\(?:TIME_PERIOD|time)$/i;

/** A column of a table, or a part of its first one. */
export interface TableColumn {
  readonly name: string;
  /** The position in the file. */
  readonly at: number;
  readonly text: RowText;
  /** Whether a column before it has the name, in any case. */
  readonly repeats: boolean;
}

/** The columns of a table, with each part of the first where that holds several, such as `freq,crops,geo\TIME_PERIOD`. */
function readColumns(header: readonly string[]): TableColumn[] {
  const [, key] = KEY.exec(header[0] ?? '') ?? [];
  const parts = key?.split(',').map((name, part) => ({ name, at: 0, text: { column: 0, part } })) ?? [];
  const whole = header.map((name, at) => ({ name, at, text: at }));
  const seen = new Set<string>();
  return [...parts, ...(key === undefined ? whole : whole.slice(1))].map((column) => {
    const folded = column.name.toLowerCase();
    const repeats = seen.has(folded);
    seen.add(folded);
    return { ...column, repeats };
  });
}

/** The parts of a mapping that name a column, and those within them. */
export function namings(part: unknown): Named[] {
  if (typeof part !== 'object' || part === null) return [];
  const within = Object.values(part).flatMap(namings);
  return 'column' in part ? [part as Named, ...within] : within;
}

export const columnsOf = (part: unknown): string[] => [...new Set(namings(part).map(({ column }) => column))];

/** All columns that a mapping names; of missing ones, the date's is the first. */
function mappedColumns({ start_date, values, ...mapping }: Mapping): string[] {
  const named = 'header' in start_date ? values.map(({ column: _, ...names }) => names) : values;
  return columnsOf([start_date, named, mapping]);
}

/** A test whether the mapping names a column, in any case. */
export function createColumnFilter(mapping: Mapping): (column: string) => boolean {
  const { start_date } = mapping;
  const folded = new Set(mappedColumns(mapping).map((column) => column.toLowerCase()));
  const isDate = (column: string) => 'header' in start_date && matchesDateFormat(column, start_date.header);
  return (column) => folded.has(column.toLowerCase()) || isDate(column);
}
