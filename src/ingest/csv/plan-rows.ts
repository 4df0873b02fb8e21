import type { Period } from '../../model/calendar.js';
import { WORLD_REGION_ID } from '../../model/entity.js';
import { IngestError } from '../../model/errors.js';
import { DAY_MS, formatDay } from '../../model/time.js';
import { PLAIN_NUMBER, type RowAnswer, type RowKey, type RowValue } from '../../store/store.js';
import { type BatchBuilder, RowError } from '../batch/batch-builder.js';
import { getOrCompute } from '../reading/get-or-compute.js';
import type { RowPlan } from '../reading/text-rows.js';
import type { Locator } from '../regions/locate.js';
import { pointRegion } from '../regions/names.js';
import { type At, createTextReader, type Fields, MappedFields, type MappedTable } from './columns.js';
import { matchesDateFormat, parseMappedDate, toMappedPeriod } from './dates.js';
import {
  type DateFrom,
  MAX_LATITUDE,
  MAX_LONGITUDE,
  type Mapping,
  type NameFrom,
  type RegionFrom,
  type StationFrom,
  type ValueColumn,
} from './mapping.js';
import type { NameResolver } from './names.js';
import type { NumberParser } from './numbers.js';

/** What the rows of all tables of an import have in common. */
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

/**
 * How the rows of a table become points by a mapping. A row that a filter leaves out is not read, whatever else is wrong with
 * it; then its dates and places are checked, and then each of its values.
 * @throws IngestError when the header does not have a column of the mapping
 */
export function planMappedRows(table: MappedTable, job: CsvJob): RowPlan {
  const { mapping } = job;
  const fields = new MappedFields(table);
  // Of missing columns, the date's is named first.
  if ('column' in mapping.start_date) fields.at(mapping.start_date.column);
  const columns = valueColumnsOf(fields, table, mapping);
  const keys = [
    ...mapping.filters.map(({ column, values, keep }) =>
      fields.filter(column, (text) => values.has(text) === keep),
    ),
    ...nameChecks(fields, placesOf(mapping)),
  ];
  const own: number[][] = columns.map(() => []);
  const add = (key: RowKey, value?: number): void => {
    const at = keys.push(key) - 1;
    if (value !== undefined) own[value]!.push(at);
  };
  // Values that are named by their dates have all else in common.
  const isDated = 'header' in mapping.start_date;
  const addNamed = (make: (names: ValueColumn) => readonly RowKey[]): void => {
    if (isDated) for (const key of make(mapping.values[0]!)) add(key);
    else for (const [i, names] of mapping.values.entries()) for (const key of make(names)) add(key, i);
  };
  addNamed(({ metric, item, unit }) => nameChecks(fields, [metric, item, unit]));
  for (const key of rowKeys(fields, job)) add(key);
  for (const [i, column] of columns.entries()) {
    if (column.startMs !== null)
      add(
        periodKey(fields, job, () => () => column.startMs),
        i,
      );
    add(valueKey(fields, { ofValue: i, column: column.name }, job), i);
  }
  addNamed(({ metric, item, unit }) => [
    fields.key(['metric_id'], (at) =>
      idOf('metric_id', metric, at, (name) => job.names.resolve('metrics', name)),
    ),
    fields.key(['item_id'], (at) => idOf('item_id', item, at, (name) => job.names.resolve('items', name))),
    fields.key(['unit_id'], (at) => idOf('unit_id', unit, at, (name) => job.names.resolveUnit(name))),
  ]);
  const available = availableColumn(mapping);
  if (available !== undefined) addNamed(() => [availableKey(fields, available, job)]);
  return {
    keys,
    values: columns.map(({ at }, i) => ({ column: at, ...figuresOf(mapping), keys: own[i]! })),
    constants: {
      source_id: job.sourceId,
      frequency_id: mapping.frequency.id,
      ...(mapping.partner_region === undefined && { partner_region_id: WORLD_REGION_ID }),
      ...(mapping.available_date === undefined && { availableMs: job.importedMs }),
    },
    notRead: fields.unread(table, mapping),
  };
}

interface MappedColumn {
  readonly name: string;
  /** Position in the file. */
  readonly at: number;
  /** The date of every value, where the column is named by it; else null. */
  readonly startMs: number | null;
}

function valueColumnsOf(
  fields: MappedFields,
  { file }: MappedTable,
  { start_date, values }: Mapping,
): MappedColumn[] {
  if (!('header' in start_date))
    return values.map(({ column }) => ({
      name: column,
      at: fields.inFile(fields.at(column)),
      startMs: null,
    }));
  const columns = [...new Set(fields.header.filter((name) => matchesDateFormat(name, start_date.header)))];
  if (columns.length > 0)
    // Of dates that the header repeats, the first is read; the others are counted as not read.
    return columns.map((name) => ({
      name,
      at: fields.inFile(fields.header.indexOf(name)),
      startMs: parseMappedDate(name, start_date.header),
    }));
  const message = `${file} has no column whose name is a date of the format ${start_date.header}`;
  throw new IngestError('csv', message, { file, row: 1 });
}

/** The names of the places of rows. */
function placesOf({ region, partner_region }: Mapping): (NameFrom | undefined)[] {
  return ['station' in region ? undefined : region, partner_region].flatMap((from) => [from, from?.within]);
}

/** Checks that texts have a name, where there is a list of names. */
function nameChecks(fields: MappedFields, froms: readonly (NameFrom | undefined)[]): RowKey[] {
  return froms.flatMap((from) => {
    if (from === undefined || !('column' in from) || from.names === undefined) return [];
    const { names } = from;
    return [fields.filter(from.column, (text) => names.has(text))];
  });
}

/** The keys of what all values of a row have in common. */
function rowKeys(fields: MappedFields, job: CsvJob): RowKey[] {
  const { start_date, region, partner_region, reporting_date } = job.mapping;
  const available = availableColumn(job.mapping);
  return [
    ...('header' in start_date ? [] : [periodKey(fields, job, (at) => fields.day(start_date, at))]),
    fields.key(['region_id'], (at) => {
      const read = createRegionReader(region, at, job);
      return (row) => ({ region_id: read(row) });
    }),
    ...(partner_region === undefined
      ? []
      : [
          fields.key(['partner_region_id'], (at) => {
            const read = createRegionReader(partner_region, at, job);
            return (row) => ({ partner_region_id: read(row) });
          }),
        ]),
    ...(reporting_date === undefined
      ? []
      : [
          fields.key(['reportingMs'], (at) => {
            const read = fields.day(reporting_date, at);
            return (row) => ({ reportingMs: read(row) });
          }),
        ]),
    ...(available === undefined
      ? []
      : [
          fields.key([], (at) => {
            const read = fields.day(available, at);
            return (row) => {
              read(row);
              return {};
            };
          }),
        ]),
  ];
}

function periodKey(
  fields: MappedFields,
  { mapping, importedMs }: CsvJob,
  bindStart: (at: At) => (row: Fields) => number | null,
): RowKey {
  const { available_date } = mapping;
  const setsAvailable =
    available_date !== undefined && 'equal_to' in available_date && available_date.equal_to === 'end_date';
  const answers: RowKey['answers'] = setsAvailable
    ? ['startMs', 'endMs', 'availableMs']
    : ['startMs', 'endMs'];
  return fields.key(answers, (at) => {
    const end = fields.day(mapping.end_date, at);
    const start = bindStart(at);
    return (row) => {
      const lastMs = end(row);
      const period = parsePeriod(start(row), lastMs, mapping);
      return setsAvailable ? { ...period, availableMs: Math.min(period.endMs, importedMs) } : period;
    };
  });
}

function parsePeriod(startMs: number | null, lastMs: number | null, mapping: Mapping): Period {
  if (startMs === null) throw new RowError('the date is empty');
  const period = toMappedPeriod(startMs, mapping.frequency, mapping.first_month);
  const endMs = lastMs ?? period.endMs;
  if (endMs < period.startMs) throw new RowError('the period ends before it begins');
  return { startMs: period.startMs, endMs };
}

/** The column of the available date. */
function availableColumn({ available_date, reporting_date }: Mapping): DateFrom | undefined {
  if (available_date === undefined || 'column' in available_date) return available_date;
  return available_date.equal_to === 'reporting_date' ? reporting_date : undefined;
}

/** When a value became available, which is when it was imported at the latest, and where nothing else is said. */
function availableKey(fields: MappedFields, from: DateFrom, { importedMs }: CsvJob): RowKey {
  return fields.key(['availableMs'], (at) => {
    const read = fields.day(from, at);
    return (row) => {
      const availableMs = read(row);
      if (availableMs !== null && availableMs > importedMs + DAY_MS)
        throw new RowError(`the available date ${formatDay(availableMs)} is after the import`);
      return { availableMs: Math.min(availableMs ?? importedMs, importedMs) };
    };
  });
}

function idOf(
  field: 'metric_id' | 'item_id' | 'unit_id',
  from: NameFrom,
  at: At,
  find: (name: string) => number,
): (fields: Fields) => RowAnswer {
  const read = createTextReader(from, at);
  return (fields) => ({ [field]: find(read(fields)) });
}

/** A value, and then letters that remark on it. */
const FLAGGED = /^(.*?)\s+([A-Za-z]{1,9})$/;

/** An empty field with a flag is a point without a value, and so is a text that is missing. */
function valueKey(
  fields: MappedFields,
  { ofValue, column }: { ofValue: number; column: string },
  { mapping, parseNumber }: CsvJob,
): RowKey {
  const { flag, empty, missing } = mapping;
  const metadataOf = (text: string) => (text === '' ? null : JSON.stringify({ flag: text }));
  const bind = (at: At) => {
    const ofRow = flag === undefined || flag === 'after_value' ? () => '' : createTextReader(flag, at);
    return (row: Fields, cell: string): RowAnswer => {
      if (cell === PLAIN_NUMBER) return { metadata: metadataOf(ofRow(row)) };
      const whole = cell.trim();
      const flagged = flag === 'after_value' ? FLAGGED.exec(whole) : null;
      const [text, remark] = flagged === null ? [whole, ofRow(row)] : [flagged[1]!, flagged[2]!];
      const isEmpty = text === '' || empty.includes(text);
      if (isEmpty && remark === '') return { notRead: 'empty cells' };
      const value = isEmpty || missing.includes(text) ? null : parseNumber(text, column);
      return { value, metadata: metadataOf(remark) };
    };
  };
  return fields.key(['value', 'metadata'], bind, ofValue);
}

/** The numbers that the engine reads: those that the number parser reads alike, whatever it is told of thousands. */
function figuresOf({
  numbers: { decimal },
  missing,
  empty,
}: Mapping): Pick<RowValue, 'plain' | 'decimal' | 'thousands' | 'except'> {
  const except = [...missing, ...empty];
  // A text that means something else may be padded: then it is compared here.
  const pad = except.some((text) => /\d/.test(text)) ? '' : ' *';
  return { plain: `${pad}-?[0-9]+([${decimal}][0-9]+)?${pad}`, decimal, thousands: '', except };
}

type RegionOf = (fields: Fields) => number;

/**
 * A reader of a row's region: by its name, or by identifier and coordinates where the table describes its places. Such a
 * place is added as a region of the level "coordinate".
 * @param at the position of a column in the table
 */
function createRegionReader(from: RegionFrom | StationFrom, at: At, job: CsvJob): RegionOf {
  return 'station' in from ? createStationReader(from, at, job) : createNameReader(from, at, job);
}

function createNameReader(from: RegionFrom, at: At, { names }: CsvJob): RegionOf {
  const read = createTextReader(from, at);
  const readWithin = from.within === undefined ? () => '' : createTextReader(from.within, at);
  const resolve = (name: string) =>
    from.code === 'fips' ? names.resolveFips(name) : names.resolve('regions', name, from.level);
  return (fields) => {
    const within = readWithin(fields);
    return resolve(within === '' ? read(fields) : `${read(fields)}, ${within}`);
  };
}

function createStationReader(
  { station, latitude, longitude, name }: StationFrom,
  at: At,
  { mapping, locator, batch, parseNumber }: CsvJob,
): RegionOf {
  const readCode = createTextReader(station, at);
  const readName = createTextReader(name ?? station, at);
  const readDegrees = (from: StationFrom['latitude'], what: string, max: number): DegreesOf => {
    if ('degrees' in from) return () => from.degrees;
    const column = at(from.column);
    return (fields) => checkDegrees(parseNumber(fields[column]!, what), what, max);
  };
  const readLatitude = readDegrees(latitude, 'latitude', MAX_LATITUDE);
  const readLongitude = readDegrees(longitude, 'longitude', MAX_LONGITUDE);
  const ids = new Map<string, number>();
  const put = (code: string, fields: Fields): number => {
    if (code === '') throw new RowError('the station has no identifier');
    const station = {
      name: readName(fields) || code,
      definition: `Station ${code} of ${mapping.source.longName}.`,
      latitude: readLatitude(fields),
      longitude: readLongitude(fields),
      aliases: [code],
    };
    const identity = `csv:${mapping.source.name}:${code}`;
    return batch.addNamedEntity('regions', identity, pointRegion(station, locator));
  };
  return (fields) => {
    const code = readCode(fields);
    return getOrCompute(ids, code, () => put(code, fields));
  };
}

type DegreesOf = (fields: Fields) => number;

/** @throws RowError when the degrees are too many */
function checkDegrees(value: number, what: string, max: number): number {
  if (Math.abs(value) > max)
    throw new RowError(`the ${what} ${value} is not between -${max} and ${max} degrees`);
  return value;
}
