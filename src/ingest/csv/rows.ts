import type { Period } from '../../model/calendar.js';
import { WORLD_REGION_ID } from '../../model/entity.js';
import { DAY_MS, formatDay } from '../../model/time.js';
import { RowError } from '../batch/batch-builder.js';
import type { DelimitedRecords } from '../reading/delimited.js';
import { getOrCompute, rememberLast } from '../reading/get-or-compute.js';
import { findColumn, type RowReader } from '../reading/tables.js';
import { findUnitId, nearestUnit, unitsOfCrops } from '../vocabulary/units.js';
import { bindColumns, KnownDates, type MappedColumns, type MappedValue } from './columns.js';
import { toMappedPeriod } from './dates.js';
import { splitKeyColumn } from './key-column.js';
import type { Mapping } from './mapping.js';
import { createRegionReader, type PlaceContext } from './places.js';
import { findPlainColumns, PlainRows } from './plain-rows.js';

/** What the rows of all tables of an import have in common. */
export interface CsvJob extends PlaceContext {
  readonly importedMs: number;
  readonly sourceId: number;
  /** The ids of the mapping's own units. */
  readonly units: ReadonlyMap<string, number>;
  /** What to say of each unknown unit. */
  readonly unknownUnits: Map<string, string>;
  /** What is said of each unit of which a crop must be known. */
  readonly croplessUnits: Map<string, string>;
}

/** A reader of the rows of a table. @throws IngestError when the header does not have a column of the mapping */
export function createRowReader(
  header: readonly string[],
  file: string,
  job: CsvJob & { hasTypes: boolean },
): RowReader {
  const key = splitKeyColumn(header);
  if (key !== null) {
    const read = createRowReader(key.header, file, job);
    return (fields) => read(key.split(fields));
  }
  const columns = bindColumns(header, file, job);
  const allValues = columns.values.map((column) => resolveNames(column, job));
  const at = (column: string): number => findColumn(header, column, { dataset: 'csv', file });
  const { region, partner_region } = job.mapping;
  const readRegion = createRegionReader(region, at, job);
  const readPartner =
    partner_region === null ? () => WORLD_REGION_ID : createRegionReader(partner_region, at, job);
  const periodOf = createPeriodReader(columns, job.mapping);
  const row = newRow(job);
  const plainColumns = job.hasTypes ? null : findPlainColumns(header, file, job.mapping);
  const plain =
    plainColumns === null
      ? null
      : new PlainRows(header.length, plainColumns, {
          batch: job.batch,
          mapping: job.mapping,
          row,
          findAvailable: (known, endMs) => findAvailable(known, endMs, job),
        });
  const read = (fields: readonly string[]): void => {
    const values = columns.isFiltered ? allValues.filter((column) => isRead(fields, column, job)) : allValues;
    if (values.length === 0) return;
    row.flag = columns.flag === null ? '' : columns.flag(fields);
    row.lastMs = columns.end(fields);
    row.period = periodOf(fields, row.lastMs);
    row.key.region_id = readRegion(fields);
    row.key.partner_region_id = readPartner(fields);
    row.point.reportingMs = columns.reporting(fields);
    row.availableMs = columns.available(fields);
    for (const column of values) if (addValue(fields, column, row, job)) plain?.learn();
  };
  return plain === null
    ? read
    : Object.assign(read, { addPlain: (record: DelimitedRecords) => plain.add(record) });
}

/** A column of values whose names are resolved. */
interface ResolvedValue extends MappedValue {
  readonly metricId: (name: string) => number;
  readonly itemId: (name: string) => number;
  readonly unitId: (name: string) => number;
}

function resolveNames(column: MappedValue, job: CsvJob): ResolvedValue {
  return {
    ...column,
    metricId: rememberLast((name) => job.names.resolve('metrics', name)),
    itemId: rememberLast((name) => job.names.resolve('items', name)),
    unitId: rememberLast((name) => findUnit(name, job)),
  };
}

function isRead(fields: readonly string[], column: MappedValue, { batch }: CsvJob): boolean {
  const notRead = column.notRead(fields);
  if (notRead !== null) batch.skip(notRead);
  return notRead === null;
}

/** What all values of a row have in common, filled for each row: new objects would take longer than reading the row. */
function newRow({ sourceId, mapping }: CsvJob) {
  return {
    flag: '',
    lastMs: null as number | null,
    /** Null when each value has the date of its column. */
    period: null as Period | null,
    /** Null where the row does not say it. */
    availableMs: null as number | null,
    /** The key of the series of each value, and its point. */
    key: {
      metric_id: 0,
      item_id: 0,
      region_id: 0,
      partner_region_id: 0,
      source_id: sourceId,
      frequency_id: mapping.frequency.id,
    },
    point: {
      startMs: 0,
      endMs: 0,
      value: null as number | null,
      unitId: 0,
      reportingMs: null as number | null,
      availableMs: 0,
      metadata: null as string | null,
    },
  };
}

type CsvRow = ReturnType<typeof newRow>;

/** Adds the point of a column. @returns whether there is one, without a remark */
function addValue(fields: readonly string[], column: ResolvedValue, row: CsvRow, job: CsvJob): boolean {
  const { key, point } = row;
  const flag = readValue(fields, column, row, job);
  if (flag === null) {
    job.batch.skip('empty cells');
    return false;
  }
  key.metric_id = column.metricId(column.metric(fields));
  key.item_id = column.itemId(column.item(fields));
  const { startMs, endMs } = row.period ?? parsePeriod(column.startMs, row.lastMs, job.mapping);
  point.startMs = startMs;
  point.endMs = endMs;
  point.unitId = column.unitId(column.unit(fields));
  point.availableMs = findAvailable(row, endMs, job);
  point.metadata = flag === '' ? null : JSON.stringify({ flag });
  job.batch.addPoint(key, point);
  return flag === '';
}

type PeriodOf = (fields: readonly string[], lastMs: number | null) => Period | null;

/** Periods by the text of their start where that alone determines them: rows share most of them. */
function createPeriodReader({ start, startAt }: MappedColumns, mapping: Mapping): PeriodOf {
  if (start === null) return () => null;
  const known = new KnownDates<Period>();
  return (fields, lastMs) => {
    if (lastMs !== null) return parsePeriod(start(fields), lastMs, mapping);
    const text = fields[startAt]!;
    const period = known.get(text);
    if (period !== undefined) return period;
    const parsed = parsePeriod(start(fields), null, mapping);
    known.set(text, parsed);
    return parsed;
  };
}

function parsePeriod(startMs: number | null, lastMs: number | null, mapping: Mapping): Period {
  if (startMs === null) throw new RowError('the date is empty');
  const period = toMappedPeriod(startMs, mapping.frequency, mapping.first_month);
  const endMs = lastMs ?? period.endMs;
  if (endMs < period.startMs) throw new RowError('the period ends before it begins');
  return { startMs: period.startMs, endMs };
}

/**
 * When a value became available, which is when it was imported at the latest, and where nothing else is said.
 * @throws RowError when the row says a date of the future
 */
function findAvailable(
  { availableMs }: Pick<CsvRow, 'availableMs'>,
  endMs: number,
  { importedMs, mapping }: CsvJob,
): number {
  const { available_date } = mapping;
  if (available_date === null) return importedMs;
  if ('equal_to' in available_date && available_date.equal_to === 'end_date')
    return Math.min(endMs, importedMs);
  if (availableMs !== null && availableMs > importedMs + DAY_MS)
    throw new RowError(`the available date ${formatDay(availableMs)} is after the import`);
  return Math.min(availableMs ?? importedMs, importedMs);
}

/** A value, and then letters that remark on it. */
const FLAGGED = /^(.*?)\s+([A-Za-z]{1,9})$/;

/**
 * Reads the value of a field into the row's point. An empty field with a flag is a point without a value, and so is a text
 * that is missing.
 * @returns the flag; null for a field that is no point
 */
function readValue(
  fields: readonly string[],
  { at, column }: MappedValue,
  { flag: ofRow, point }: CsvRow,
  { mapping, parseNumber }: CsvJob,
): string | null {
  const whole = fields[at]!.trim();
  const flagged = mapping.flag === 'after_value' ? FLAGGED.exec(whole) : null;
  const [text, flag] = flagged === null ? [whole, ofRow] : [flagged[1]!, flagged[2]!];
  const isEmpty = text === '' || mapping.empty.includes(text);
  if (isEmpty && flag === '') return null;
  point.value = isEmpty || mapping.missing.includes(text) ? null : parseNumber(text, column);
  return flag;
}

/** @throws RowError that names the nearest unit */
function findUnit(name: string, { units, unknownUnits, croplessUnits, batch }: CsvJob): number {
  const own = units.get(name);
  if (own !== undefined) return own;
  const id = findUnitId(name);
  if (id !== undefined) {
    getOrCompute(croplessUnits, name, () => noteCropless(id, batch));
    return id;
  }
  throw new RowError(getOrCompute(unknownUnits, name, () => describeUnknownUnit(name)));
}

/** A bushel of an unnamed crop is stored as it is, but later converts to nothing: better said now. */
function noteCropless(id: number, batch: CsvJob['batch']): string {
  const [name = '', ...ofCrops] = unitsOfCrops(id);
  if (ofCrops.length === 0) return '';
  const note = `unit "${name}" converts to no other, since its crop is not named; there is ${ofCrops.join(', ')}`;
  batch.addNote(note);
  return note;
}

function describeUnknownUnit(name: string): string {
  const nearest = nearestUnit(name);
  const advice =
    nearest === undefined
      ? '"cropframe units" lists the units, and a mapping can define one'
      : `did you mean "${nearest.abbreviation}" (${nearest.name})?`;
  return `there is no unit called "${name}"; ${advice}`;
}
