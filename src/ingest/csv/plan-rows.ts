import { IngestError } from '../../model/errors.js';
import { DAY_MS, formatDay } from '../../model/time.js';
import { PLAIN_NUMBER, type RowAnswer, type RowKey, type RowText, type RowValue } from '../../store/store.js';
import { type BatchBuilder, RowError } from '../batch/batch-builder.js';
import { getOrCompute } from '../reading/get-or-compute.js';
import { findColumn, type OpenedTable } from '../reading/tables.js';
import { type RowPlan, rowKey } from '../reading/text-rows.js';
import type { Locator } from '../regions/locate.js';
import { pointRegion } from '../regions/names.js';
import { type DateFormat, matchesDateFormat, parseMappedDate, toMappedPeriod } from './dates.js';
import {
  type DateFrom,
  MAX_LATITUDE,
  MAX_LONGITUDE,
  type Named,
  type NameFrom,
  type RegionFrom,
  type StationFrom,
} from './mapping.js';
import type { NameResolver } from './names.js';
import type { NumberParser } from './numbers.js';
import type { Mapping, ValueColumn } from './parse-mapping.js';
import type { TypedTable } from './typed/parquet.js';

/** The common parts of the rows of all tables of an import. */
export interface CsvJob {
  readonly mapping: Mapping;
  readonly names: NameResolver;
  /** Null when the table does not describe its places. */
  readonly locator: Locator | null;
  readonly batch: BatchBuilder;
  readonly parseNumber: NumberParser;
  readonly importedMs: number;
  readonly sourceId: number;
}

/** The texts of a row by the names of their columns, without spaces around them. */
type Row = Readonly<Record<string, string>>;

/**
 * How the rows of a table become points by a mapping. A row that a filter leaves out is not read, even if it has other
 * faults; then its dates and places are checked, and then each of its values. Cells of a `TypedTable` may be dates.
 * @throws IngestError when the header does not have a column of the mapping
 */
export function planMappedRows(
  { file, header, unread }: Pick<OpenedTable, 'file' | 'header'> & Partial<TypedTable>,
  job: CsvJob,
): RowPlan {
  const { mapping, importedMs, names } = job;
  const { start_date, end_date, reporting_date, available_date, region, partner_region } = mapping;
  const columns = readColumns(header);
  const columnNames = columns.map(({ name }) => name);
  const columnOf = (name: string) => columns[findColumn(columnNames, name, { dataset: 'csv', file })]!;
  const named = new Map(mappedColumns(mapping).map((name) => [name, columnOf(name)]));
  const values =
    'header' in start_date
      ? datedColumns(columns, start_date.header, file)
      : mapping.values.map(({ column }) => ({ ...named.get(column)!, name: column, startMs: null }));
  const read = new Set([...named.values(), ...values].map(({ text }) => text));
  const notRead = columns.flatMap(({ name, text, repeats }, i) => {
    // With dates in the header, rows may end in a delimiter.
    const isEnd = 'header' in start_date && name === '' && !repeats;
    if (read.has(text) || isEnd) return [];
    return name === '' ? `column ${i + 1}` : repeats ? `${name} (column ${i + 1})` : name;
  });
  const parts = columns.filter(({ text }) => typeof text !== 'number');
  const keys: RowKey[] = [];
  const own: number[][] = values.map(() => []);
  const put = (key: RowKey, value?: number): void => {
    const at = keys.push(rowKey(key)) - 1;
    if (value !== undefined) own[value]!.push(at);
  };
  const add = (parts: unknown, resolve: (row: Row) => RowAnswer, value?: number): void => {
    const names = columnsOf(parts);
    const rowOf = (texts: readonly string[]): Row =>
      Object.fromEntries(names.map((name, i) => [name, texts[i]!.trim()]));
    put(
      { texts: names.map((name) => named.get(name)!.text), resolve: (texts) => resolve(rowOf(texts)) },
      value,
    );
  };
  const filter = (column: string, isWanted: (text: string) => boolean, value?: number) =>
    add({ column }, ({ [column]: text }) => (isWanted(text!) ? {} : { notRead: `${column} ${text}` }), value);
  /** Checks that texts have a name, where there is a list of names. */
  const checkNames = (parts: unknown, value?: number): void => {
    for (const { column, names } of namings(parts))
      if (names !== undefined) filter(column, (text) => names.has(text), value);
  };
  // Values that are named by their dates have all else in common.
  const eachValue = (work: (value: ValueColumn, at?: number) => void): void => {
    for (const [at, value] of mapping.values.entries()) work(value, 'header' in start_date ? undefined : at);
  };
  /** A date; null for an empty text, and where the mapping has none. */
  const day = (from: DateFrom | undefined, row: Row): number | null => {
    const text = from === undefined ? '' : row[from.column]!;
    if (text === '') return null;
    const isTyped = unread !== undefined && matchesDateFormat(text, 'YYYY-MM-DD');
    return parseMappedDate(text, isTyped ? 'YYYY-MM-DD' : from!.format);
  };
  const period = (startMs: number | null, row: Row) => answerPeriod(startMs, day(end_date, row), job);

  if (parts.length > 0) put(partsKey(parts));
  for (const { column, values, keep } of mapping.filters) filter(column, (text) => values.has(text) === keep);
  checkNames([region, partner_region]);
  eachValue(({ metric, item, unit }, at) => checkNames([metric, item, unit], at));
  if ('column' in start_date) add([end_date, start_date], (row) => period(day(start_date, row), row));
  const regionOf = 'station' in region ? createStationReader(region, job) : createNameReader(region, job);
  add(region, (row) => ({ region_id: regionOf(row) }));
  if (partner_region !== undefined) {
    const partnerOf = createNameReader(partner_region, job);
    add(partner_region, (row) => ({ partner_region_id: partnerOf(row) }));
  }
  if (reporting_date !== undefined) add(reporting_date, (row) => ({ reportingMs: day(reporting_date, row) }));
  const available = available_date === 'end_date' ? undefined : available_date;
  if (available !== undefined)
    add(available, (row) => {
      day(available, row);
      return {};
    });
  const flag = columnsOf(mapping.flag).map((name) => named.get(name)!.text);
  for (const [ofValue, { name, startMs }] of values.entries()) {
    if (startMs !== null) add(end_date, (row) => period(startMs, row), ofValue);
    const resolve: RowKey['resolve'] = ([cell, remark]) =>
      answerValue(cell!, remark?.trim() ?? '', name, job);
    put({ texts: [{ ofValue }, ...flag], resolve }, ofValue);
  }
  eachValue(({ metric, item, unit }, at) => {
    add(metric, (row) => ({ metric_id: names.resolve('metrics', readText(metric, row)) }), at);
    add(item, (row) => ({ item_id: names.resolve('items', readText(item, row)) }), at);
    add(unit, (row) => ({ unit_id: names.resolve('units', readText(unit, row)) }), at);
    if (available !== undefined)
      add(available, (row) => answerAvailable(day(available, row), importedMs), at);
  });
  return {
    keys,
    values: values.map(({ at }, i) => ({ column: at, ...figuresOf(mapping), keys: own[i]! })),
    constants: {
      source_id: job.sourceId,
      frequency_id: mapping.frequency.id,
      ...(available_date === undefined && { availableMs: importedMs }),
    },
    notRead: [...(unread ?? []), ...notRead],
  };
}

/** Rejects the rows whose first column does not hold as many parts as it should. */
const partsKey = (parts: readonly TableColumn[]): RowKey => ({
  texts: [0],
  resolve([first]) {
    const { length } = first!.split(',');
    if (length === parts.length) return {};
    const names = parts.map(({ name }) => name).join(',');
    throw new RowError(`the key "${first}" has ${length} parts, but "${names}" has ${parts.length}`);
  },
});

/**
 * The columns that are named by the date of their values. Of dates that the header repeats, the first is read; the others are
 * counted as not read.
 * @throws IngestError when there is none
 */
function datedColumns(columns: readonly TableColumn[], format: DateFormat, file: string) {
  const dated = columns.filter(({ name, repeats }) => !repeats && matchesDateFormat(name, format));
  if (dated.length > 0)
    return dated.map((column) => ({ ...column, startMs: parseMappedDate(column.name, format) }));
  const message = `${file} has no column whose name is a date of the format ${format}`;
  throw new IngestError('csv', message, { file, row: 1 });
}

/** A text of a row, its name where there is a list of names, or the one name of all rows. */
function readText(from: NameFrom, row: Row): string {
  if ('name' in from) return from.name;
  const text = row[from.column]!;
  return from.names === undefined ? text : (from.names.get(text) ?? '');
}

function answerPeriod(
  firstMs: number | null,
  lastMs: number | null,
  { mapping: { available_date, frequency, first_month }, importedMs }: CsvJob,
): RowAnswer {
  if (firstMs === null) throw new RowError('the date is empty');
  const { startMs, endMs } = toMappedPeriod(firstMs, frequency, first_month);
  const period = { startMs, endMs: lastMs ?? endMs };
  if (period.endMs < startMs) throw new RowError('the period ends before it begins');
  if (available_date !== 'end_date') return period;
  return { ...period, availableMs: Math.min(period.endMs, importedMs) };
}

/** When a value became available, which is when it was imported at the latest, and where nothing else is said. */
function answerAvailable(availableMs: number | null, importedMs: number): RowAnswer {
  if (availableMs !== null && availableMs > importedMs + DAY_MS)
    throw new RowError(`the available date ${formatDay(availableMs)} is after the import`);
  return { availableMs: Math.min(availableMs ?? importedMs, importedMs) };
}

/** A value, and then letters that remark on it. */
const FLAGGED = /^(.*?)\s+([A-Za-z]{1,9})$/;

/** An empty field with a flag is a point without a value, and so is a text that is missing. */
function answerValue(
  cell: string,
  flag: string,
  column: string,
  { mapping, parseNumber }: CsvJob,
): RowAnswer {
  const { empty, missing } = mapping;
  const metadataOf = (text: string) => (text === '' ? null : JSON.stringify({ flag: text }));
  if (cell === PLAIN_NUMBER) return { metadata: metadataOf(flag) };
  const whole = cell.trim();
  const flagged = mapping.flag === 'after_value' ? FLAGGED.exec(whole) : null;
  const [text, remark] = flagged === null ? [whole, flag] : [flagged[1]!, flagged[2]!];
  const isEmpty = text === '' || empty.includes(text);
  if (isEmpty && remark === '') return { notRead: 'empty cells' };
  const value = isEmpty || missing.includes(text) ? null : parseNumber(text, column);
  return { value, metadata: metadataOf(remark) };
}

/** The numbers that the engine reads: those that the number parser reads alike with any mark of thousands. */
function figuresOf({
  decimal,
  missing,
  empty,
}: Mapping): Pick<RowValue, 'plain' | 'decimal' | 'thousands' | 'except'> {
  const except = [...missing, ...empty];
  // A text that means something else may be padded: then it is compared here.
  const pad = except.some((text) => /\d/.test(text)) ? '' : ' *';
  return { plain: `${pad}-?[0-9]+([${decimal}][0-9]+)?${pad}`, decimal, thousands: '', except };
}

/** A reader of a row's region by its name or code. */
function createNameReader(from: RegionFrom, { names }: CsvJob): (row: Row) => number {
  const resolve = (name: string) =>
    from.code === 'fips' ? names.resolveFips(name) : names.resolve('regions', name, from.level);
  return (row) => {
    const within = from.within === undefined ? '' : readText(from.within, row);
    const name = readText(from, row);
    return resolve(within === '' ? name : `${name}, ${within}`);
  };
}

/** A reader of a row's place by its identifier, which adds the place as a region of the level "coordinate". */
function createStationReader(
  { station, latitude, longitude, name = station }: StationFrom,
  { mapping, locator, batch, parseNumber }: CsvJob,
): (row: Row) => number {
  const degrees = (from: StationFrom['latitude'], row: Row, what: string, max: number): number => {
    if ('degrees' in from) return from.degrees;
    const value = parseNumber(row[from.column]!, what);
    if (Math.abs(value) <= max) return value;
    throw new RowError(`the ${what} ${value} is not between -${max} and ${max} degrees`);
  };
  const put = (code: string, row: Row): number => {
    if (code === '') throw new RowError('the station has no identifier');
    const place = {
      name: readText(name, row) || code,
      definition: `Station ${code} of ${mapping.source.longName}.`,
      latitude: degrees(latitude, row, 'latitude', MAX_LATITUDE),
      longitude: degrees(longitude, row, 'longitude', MAX_LONGITUDE),
      aliases: [code],
    };
    return batch.addNamedEntity('regions', `csv:${mapping.source.name}:${code}`, pointRegion(place, locator));
  };
  const ids = new Map<string, number>();
  return (row) => {
    const code = readText(station, row);
    return getOrCompute(ids, code, () => put(code, row));
  };
}

/** The parts of a mapping that name a column, and those within them. */
function namings(part: unknown): Named[] {
  if (typeof part !== 'object' || part === null) return [];
  const within = Object.values(part).flatMap(namings);
  return 'column' in part ? [part as Named, ...within] : within;
}

const columnsOf = (part: unknown): string[] => [...new Set(namings(part).map(({ column }) => column))];

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

/** The first column of Eurostat's TSV files: the names of the dimensions, and after a backslash that of the other columns. */
const KEY = /^([^\\]+)\\(?:TIME_PERIOD|time)$/i;

/** A column of a table, or a part of its first one. */
interface TableColumn {
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
