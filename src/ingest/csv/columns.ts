import { TableFields } from '../reading/table-plan.js';
import { findColumns } from '../reading/tables.js';
import { matchesDateFormat } from './dates.js';
import type { Mapping } from './mapping.js';

/** A table with a mapping. */
export interface MappedTable {
  /** The name in messages. */
  readonly file: string;
  readonly header: readonly string[];
  /** The names of all columns of the file, where the header has those alone that are read. */
  readonly names?: readonly string[] | undefined;
  /** Whether dates may be cells of that type. */
  readonly hasTypes: boolean;
}

/** A part of a mapping that may name a column. */
export type ColumnFrom = object | string | undefined;

/** The columns that these parts of a mapping name, each once. */
export function columnsOf(froms: readonly ColumnFrom[]): string[] {
  return [
    ...new Set(
      froms.flatMap((from) =>
        typeof from === 'object' && 'column' in from ? [(from as { column: string }).column] : [],
      ),
    ),
  ];
}

/** The parts of a mapping that say where a row's region is. */
export function placeOf(region: Mapping['region'] | undefined): ColumnFrom[] {
  if (region === undefined) return [];
  return 'station' in region
    ? [region.station, region.latitude, region.longitude, region.name]
    : [region, region.within];
}

/** All columns that a mapping names but those of values that are named by their dates; of missing ones, the date's is the first. */
function mappedColumns(mapping: Mapping): string[] {
  const { start_date, end_date, reporting_date, available_date, region, partner_region, flag } = mapping;
  const { values, filters } = mapping;
  return columnsOf([
    start_date,
    ...('header' in start_date ? [] : values),
    ...filters,
    ...values.flatMap(({ metric, item, unit }) => [metric, item, unit]),
    ...[...placeOf(region), ...placeOf(partner_region)],
    ...[end_date, reporting_date, available_date, flag],
  ]);
}

/** A test whether the mapping names a column, in any case. */
export function createColumnFilter(mapping: Mapping): (column: string) => boolean {
  const { start_date } = mapping;
  const folded = new Set(mappedColumns(mapping).map((column) => column.toLowerCase()));
  // Rows of such tables may end in a delimiter.
  const isDate = (column: string) =>
    'header' in start_date && (column === '' || matchesDateFormat(column, start_date.header));
  return (column) => folded.has(column.toLowerCase()) || isDate(column);
}

/** The first column of Eurostat's TSV files: the names of the dimensions, and after a backslash that of the other columns. */
const KEY = /^([^\\]+)\\(?:TIME_PERIOD|time)$/i;

/** The columns of a table, of which the first may hold several, such as `freq,crops,geo\TIME_PERIOD`. */
export interface MappedColumns {
  readonly header: readonly string[];
  /** The name of the first column where it holds several; else null. */
  readonly key: string | null;
  /** How many the first column holds. */
  readonly parts: number;
}

/** A header with a column for each that the first one holds. */
export function readColumns(header: readonly string[]): MappedColumns {
  const [, key = null] = KEY.exec(header[0] ?? '') ?? [];
  if (key === null) return { header, key, parts: 1 };
  const names = key.split(',');
  return { header: [...names, ...header.slice(1)], key, parts: names.length };
}

/** The position in the file of a column of the header. */
export function inFile(at: number, { parts }: MappedColumns): number {
  return Math.max(0, at - parts + 1);
}

/** The fields of a table's rows, by the names that the mapping has for its columns. */
export function mappedFields(columns: MappedColumns, mapping: Mapping, file: string): TableFields<string> {
  const names = mappedColumns(mapping).map((name) => [name, name] as const);
  const at = findColumns(columns.header, Object.fromEntries(names), { dataset: 'csv', file });
  return new TableFields(at, (field) => {
    const part = at[field]!;
    return columns.key !== null && part < columns.parts ? { column: 0, part } : inFile(part, columns);
  });
}

/** The names of the columns that are not read: those outside the mapping, and the second of two with one name. */
export function unreadColumns({ header, names = header }: MappedTable, mapping: Mapping): string[] {
  const wantsColumn = createColumnFilter(mapping);
  const seen = new Set<string>();
  return readColumns(names).header.flatMap((name, i) => {
    const isRepeated = seen.has(name.toLowerCase());
    seen.add(name.toLowerCase());
    if (wantsColumn(name) && !isRepeated) return [];
    return name === '' ? `column ${i + 1}` : isRepeated ? `${name} (column ${i + 1})` : name;
  });
}
