import { DAY_MS, formatDay } from '../../model/time.js';
import { PLAIN_NUMBER, type RowAnswer, type RowKey, type RowText, type RowValue } from '../../store/store.js';
import { type BatchBuilder, RowError } from '../batch/batch-builder.js';
import { getOrCompute } from '../reading/get-or-compute.js';
import type { OpenedTable } from '../reading/tables.js';
import { type RowPlan, rowKey } from '../reading/text-rows.js';
import type { Locator } from '../regions/locate.js';
import { pointRegion } from '../regions/names.js';
import { matchesDateFormat, parseMappedDate, toMappedPeriod } from './dates.js';
import {
  type DateFrom,
  MAX_LATITUDE,
  MAX_LONGITUDE,
  type NameFrom,
  type RegionFrom,
  type StationFrom,
} from './mapping.js';
import { columnsOf, type MatchedColumns, matchColumns, namings, type TableColumn } from './match-columns.js';
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
  const { mapping, importedMs } = job;
  const table = matchColumns(file, header, mapping);
  const keys = new MappedKeys(table);
  // Values that are named by their dates have all else in common.
  const measures = mapping.values.map((value, at) => ({
    ...value,
    at: 'header' in mapping.start_date ? undefined : at,
  }));
  if (table.parts.length > 0) keys.put(partsKey(table.parts));
  addFilters(keys, mapping, measures);
  const readers = { job, dayOf: createDayReader(unread !== undefined) };
  addPlaceAndTime(keys, readers);
  addValues(keys, table.values, readers);
  for (const measure of measures) addMeasure(keys, measure, readers);
  return {
    keys: keys.all,
    values: table.values.map(({ at }, i) => ({ column: at, ...figuresOf(mapping), keys: keys.own[i]! })),
    constants: {
      source_id: job.sourceId,
      frequency_id: mapping.frequency.id,
      ...(mapping.available_date === undefined && { availableMs: importedMs }),
    },
    notRead: [...(unread ?? []), ...table.notRead],
  };
}

/** The keys of a plan. Of those that leave a row out, the first says why. */
class MappedKeys {
  readonly all: RowKey[] = [];
  /** The positions of the keys of each column of values alone. */
  readonly own: readonly number[][];
  readonly #columns: MatchedColumns['named'];

  constructor({ named, values }: MatchedColumns) {
    this.#columns = named;
    this.own = values.map(() => []);
  }

  textOf(column: string): RowText {
    return this.#columns.get(column)!.text;
  }

  /** @param value the position of the only column of values that the key is for */
  put(key: RowKey, value?: number): void {
    const at = this.all.push(rowKey(key)) - 1;
    if (value !== undefined) this.own[value]!.push(at);
  }

  /** Adds a key of the columns that some parts of the mapping name. */
  add(parts: unknown, resolve: (row: Row) => RowAnswer, value?: number): void {
    const names = columnsOf(parts);
    const rowOf = (texts: readonly string[]): Row =>
      Object.fromEntries(names.map((name, i) => [name, texts[i]!.trim()]));
    const texts = names.map((name) => this.textOf(name));
    this.put({ texts, resolve: (given) => resolve(rowOf(given)) }, value);
  }

  filter(column: string, isWanted: (text: string) => boolean, value?: number): void {
    const resolve = ({ [column]: text }: Row) => (isWanted(text!) ? {} : { notRead: `${column} ${text}` });
    this.add({ column }, resolve, value);
  }

  /** Leaves out texts without a name, where there is a list of names. */
  filterNamed(parts: unknown, value?: number): void {
    for (const { column, names } of namings(parts))
      if (names !== undefined) this.filter(column, (text) => names.has(text), value);
  }
}

/** The measure of a column of values, by its position; of all columns without one. */
type Measure = ValueColumn & { readonly at: number | undefined };

interface Readers {
  readonly job: CsvJob;
  /** A date; null for an empty text, and where the mapping has none. */
  readonly dayOf: (from: DateFrom | undefined, row: Row) => number | null;
}

function createDayReader(isTyped: boolean): Readers['dayOf'] {
  return (from, row) => {
    const text = from === undefined ? '' : row[from.column]!;
    if (text === '') return null;
    const isDay = isTyped && matchesDateFormat(text, 'YYYY-MM-DD');
    return parseMappedDate(text, isDay ? 'YYYY-MM-DD' : from!.format);
  };
}

function addFilters(
  keys: MappedKeys,
  { filters, region, partner_region }: Mapping,
  measures: readonly Measure[],
): void {
  for (const { column, values, keep } of filters) keys.filter(column, (text) => values.has(text) === keep);
  keys.filterNamed([region, partner_region]);
  for (const { metric, item, unit, at } of measures) keys.filterNamed([metric, item, unit], at);
}

function addPlaceAndTime(keys: MappedKeys, { job, dayOf }: Readers): void {
  const { start_date, end_date, region, partner_region, reporting_date, available_date } = job.mapping;
  if ('column' in start_date)
    keys.add([end_date, start_date], (row) =>
      answerPeriod(dayOf(start_date, row), dayOf(end_date, row), job),
    );
  const regionOf = 'station' in region ? createStationReader(region, job) : createNameReader(region, job);
  keys.add(region, (row) => ({ region_id: regionOf(row) }));
  if (partner_region !== undefined) {
    const partnerOf = createNameReader(partner_region, job);
    keys.add(partner_region, (row) => ({ partner_region_id: partnerOf(row) }));
  }
  if (reporting_date !== undefined)
    keys.add(reporting_date, (row) => ({ reportingMs: dayOf(reporting_date, row) }));
  if (typeof available_date === 'object')
    keys.add(available_date, (row) => {
      dayOf(available_date, row);
      return {};
    });
}

function addValues(keys: MappedKeys, columns: MatchedColumns['values'], { job, dayOf }: Readers): void {
  const { end_date, flag } = job.mapping;
  const flags = columnsOf(flag).map((name) => keys.textOf(name));
  for (const [ofValue, { name, startMs }] of columns.entries()) {
    if (startMs !== null)
      keys.add(end_date, (row) => answerPeriod(startMs, dayOf(end_date, row), job), ofValue);
    const resolve: RowKey['resolve'] = ([cell, remark]) =>
      answerValue(cell!, remark?.trim() ?? '', name, job);
    keys.put({ texts: [{ ofValue }, ...flags], resolve }, ofValue);
  }
}

function addMeasure(keys: MappedKeys, { metric, item, unit, at }: Measure, { job, dayOf }: Readers): void {
  const { mapping, names, importedMs } = job;
  const { available_date } = mapping;
  keys.add(metric, (row) => ({ metric_id: names.resolve('metrics', readText(metric, row)) }), at);
  keys.add(item, (row) => ({ item_id: names.resolve('items', readText(item, row)) }), at);
  keys.add(unit, (row) => ({ unit_id: names.resolve('units', readText(unit, row)) }), at);
  if (typeof available_date === 'object')
    keys.add(available_date, (row) => answerAvailable(dayOf(available_date, row), importedMs), at);
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
  const period = toMappedPeriod(firstMs, frequency, { firstMonth: first_month, lastMs });
  if (period.endMs < period.startMs) throw new RowError('the period ends before it begins');
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
