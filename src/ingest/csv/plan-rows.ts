import type { Region } from '../../model/entity.js';
import { DAY_MS, formatDay } from '../../model/time.js';
import {
  PLAIN_NUMBER,
  type ReadRows,
  type RowAnswer,
  type RowKey,
  type RowLimit,
  type RowText,
  type RowValue,
} from '../../store/store.js';
import { type BatchBuilder, RowError } from '../batch/batch-builder.js';
import { matchesDateFormat, parseFormattedDate, parseLastDay } from '../reading/dates.js';
import { getOrCompute } from '../reading/get-or-compute.js';
import type { OpenedTable } from '../reading/tables.js';
import { type RowPlan, rowKey } from '../reading/text-rows.js';
import type { Locator } from '../regions/locate.js';
import { pointRegion } from '../regions/names.js';
import { beyondBounds, boundsOf, narrowestBounds } from '../vocabulary/bounds.js';
import { UNITS } from '../vocabulary/units.js';
import {
  type DateFrom,
  MAX_LATITUDE,
  MAX_LONGITUDE,
  type NameFrom,
  type RegionFrom,
  type StationFrom,
} from './mapping.js';
import { columnsOf, matchColumns, namings, type TableColumn } from './match-columns.js';
import { MISSING_MARKS, noteOnMarks } from './missing-marks.js';
import type { NameResolver } from './names.js';
import { type NumberParser, type NumberTexts, plainNumberPattern } from './numbers.js';
import { type Mapping, readDateText, type ValueColumn } from './parse-mapping.js';
import { toMappedPeriod } from './periods.js';
import type { TypedTable } from './typed/parquet.js';

/** The common parts of the rows of all tables of an import. */
export interface CsvJob {
  readonly mapping: Mapping;
  readonly names: NameResolver;
  /** Null when the table does not describe its places. */
  readonly locator: Locator | null;
  /** Where stations are, by their codes, as the store or an earlier row has them. */
  readonly places: Map<string, Place>;
  readonly batch: BatchBuilder;
  readonly parseNumber: NumberParser;
  /** Strings that mean "no value", and those that mean "no point". */
  readonly missing: NumberTexts;
  readonly empty: NumberTexts;
  readonly importedMs: number;
  readonly sourceId: number;
}

type Place = Pick<Region, 'latitude' | 'longitude'>;

/** The texts of a row by the names of their columns, without spaces around them. */
type Row = Readonly<Record<string, string>>;

/**
 * How the rows of a table become points by a mapping. A row that a filter leaves out is not read, even if it has other
 * faults; then its dates and places are checked, and then each of its values. Cells of a `TypedTable` may be dates.
 * @throws IngestError when the header does not have a column of the mapping
 */
export const planMappedRows = (table: MappedTable, job: CsvJob): RowPlan => new Planner(table, job).plan();

type MappedTable = Pick<OpenedTable, 'file' | 'header'> & Partial<TypedTable>;

class Planner {
  /** Of keys that leave a row out, the first says why. */
  readonly #keys: RowKey[] = [];
  /** The positions of the keys of each column of values alone. */
  readonly #own: readonly number[][];
  readonly #columns: ReturnType<typeof matchColumns>;
  readonly #table: MappedTable;
  readonly #job: CsvJob;

  constructor(table: MappedTable, job: CsvJob) {
    this.#columns = matchColumns(table.file, table.header, job.mapping);
    this.#own = this.#columns.values.map(() => []);
    this.#table = table;
    this.#job = job;
  }

  plan(): RowPlan {
    const { mapping, sourceId, importedMs } = this.#job;
    const { values, parts, notRead } = this.#columns;
    // Values that are named by their dates have all else in common.
    const positions = mapping.values.map((_, at) => ('header' in mapping.start_date ? undefined : at));
    if (parts.length > 0) this.#put(partsKey(parts));
    this.#addFilters(positions);
    this.#addPlaceAndTime();
    for (const at of values.keys()) this.#addValue(at);
    for (const [i, at] of positions.entries()) this.#addMeasure(mapping.values[i]!, at);
    return {
      keys: this.#keys,
      values: values.map(({ at }, i) => ({
        column: at,
        ...figuresOf(this.#job),
        limits: this.#limitsOf(i),
        keys: this.#own[i]!,
      })),
      marks: MISSING_MARKS,
      noteOnMarks: (marks) => this.#noteOnMarks(marks),
      constants: {
        source_id: sourceId,
        frequency_id: mapping.periods.frequency.id,
        ...(mapping.available_date === undefined && { availableMs: importedMs }),
      },
      notRead: [...(this.#table.unread ?? []), ...notRead],
    };
  }

  #addFilters(positions: readonly (number | undefined)[]): void {
    const { filters, region, partner_region, values } = this.#job.mapping;
    for (const { column, values, keep } of filters) this.#filter(column, (text) => values.has(text) === keep);
    this.#filterNamed([region, partner_region]);
    for (const [i, { metric, item, unit }] of values.entries())
      this.#filterNamed([metric, item, unit], positions[i]);
  }

  #addPlaceAndTime(): void {
    const { start_date, end_date, region, partner_region, reporting_date, available_date } =
      this.#job.mapping;
    if (!('header' in start_date))
      this.#add([end_date, start_date], (row) => this.#answerPeriod(this.#dayOf(start_date, row), row));
    const regionOf = 'station' in region ? createStationReader(region, this.#job) : this.#nameReader(region);
    this.#add(region, (row) => ({ region_id: regionOf(row) }));
    if (partner_region !== undefined) {
      const partnerOf = this.#nameReader(partner_region);
      this.#add(partner_region, (row) => ({ partner_region_id: partnerOf(row) }));
    }
    if (reporting_date !== undefined)
      this.#add(reporting_date, (row) => ({ reportingMs: this.#dayOf(reporting_date, row) }));
    if (typeof available_date === 'object')
      this.#add(available_date, (row) => {
        this.#dayOf(available_date, row);
        return {};
      });
  }

  #addValue(at: number): void {
    const { end_date, flag } = this.#job.mapping;
    const { name, startMs } = this.#columns.values[at]!;
    if (startMs !== null) this.#add(end_date, (row) => this.#answerPeriod(startMs, row), at);
    const isThere = (column: string) => this.#columns.named.has(column);
    const flags = columnsOf(flag)
      .filter(isThere)
      .map((column) => this.#textOf(column));
    const measure = this.#measureOf(at);
    const columns = columnsOf(measure);
    const resolve: RowKey['resolve'] = ([cell, ...texts]) => {
      const answer = answerValue(cell!, texts[columns.length]?.trim() ?? '', name, this.#job);
      const row = Object.fromEntries(columns.map((column, i) => [column, texts[i]!.trim()]));
      const { value } = answer;
      if (typeof value !== 'number' || this.#isPossible(value, cell!.trim(), name, measure, row))
        return answer;
      return { ...answer, value: null };
    };
    const texts = columns.map((column) => this.#textOf(column));
    this.#put({ texts: [{ ofValue: at }, ...texts, ...flags], resolve }, at);
  }

  /** Returns the metric and the unit of a value column, by name or column. */
  #measureOf(at: number): Pick<ValueColumn, 'metric' | 'unit'> {
    const { values, start_date } = this.#job.mapping;
    const { metric, unit } = values['header' in start_date ? 0 : at]!;
    return { metric, unit };
  }

  /**
   * Returns limits for the numbers that the engine reads. Numbers beyond them may be impossible for their metric or
   * unit, so they are checked one by one.
   */
  #limitsOf(at: number): RowLimit[] {
    const { metric, unit } = this.#measureOf(at);
    const metricId = 'name' in metric ? this.#find('metrics', metric.name) : undefined;
    const limitOf = (unitId: number | undefined) =>
      'name' in metric ? boundsOf(metricId, unitId) : narrowestBounds(unitId);
    if ('name' in unit) return [limitOf(this.#find('units', unit.name))];
    const { text } = this.#columns.named.get(unit.column)!;
    if (typeof text !== 'number') return [limitOf(undefined)];
    const limits = BOUNDED_UNITS.map((one) => {
      const written: readonly string[] = [one.name, one.namePlural, one.abbreviation];
      const codes = [...(unit.names ?? [])].flatMap(([code, name]) => (written.includes(name) ? code : []));
      return { ...limitOf(one.id), where: { column: text, is: [...written, ...codes] } };
    });
    return [limitOf(undefined), ...limits];
  }

  /** Resolves a name to an id; undefined if it is unknown, which is reported with the rows. */
  #find(type: 'metrics' | 'units', name: string): number | undefined {
    try {
      return this.#job.names.resolve(type, name);
    } catch (error) {
      if (error instanceof RowError) return undefined;
      throw error;
    }
  }

  /**
   * Checks whether a metric can have a value in a unit. An impossible value that commonly marks missing values is read
   * as "no value", with a note.
   * @throws RowError for any other impossible value
   */
  #isPossible(
    value: number,
    text: string,
    column: string,
    { metric, unit }: Pick<ValueColumn, 'metric' | 'unit'>,
    row: Row,
  ): boolean {
    const ids = [
      this.#find('metrics', readText(metric, row)),
      this.#find('units', readText(unit, row)),
    ] as const;
    const fault = beyondBounds(value, ...ids);
    if (fault === undefined) return true;
    const { mapping, batch } = this.#job;
    const missing = `"missing": ${JSON.stringify([...mapping.missing, text])} in the mapping`;
    if (!MISSING_MARKS.includes(value))
      throw new RowError(
        `the ${column} "${text}" ${fault}; correct it or, if it means "no value", set ${missing}`,
      );
    batch.addNote(`the ${column} "${text}" ${fault}, and was read as "no value"; to confirm, set ${missing}`);
    return false;
  }

  #noteOnMarks(marks: NonNullable<ReadRows['marks']>): string[] {
    const { missing } = this.#job.mapping;
    return this.#columns.values.flatMap(({ name }, i) =>
      noteOnMarks(
        name,
        marks.filter(({ value }) => value === i),
        missing,
      ),
    );
  }

  #addMeasure({ metric, item, unit }: ValueColumn, at: number | undefined): void {
    const { mapping, names, importedMs } = this.#job;
    const { available_date } = mapping;
    this.#add(metric, (row) => ({ metric_id: names.resolve('metrics', readText(metric, row)) }), at);
    this.#add(item, (row) => ({ item_id: names.resolve('items', readText(item, row)) }), at);
    this.#add(unit, (row) => ({ unit_id: names.resolve('units', readText(unit, row)) }), at);
    if (typeof available_date === 'object')
      this.#add(available_date, (row) => answerAvailable(this.#dayOf(available_date, row), importedMs), at);
  }

  #textOf(column: string): RowText {
    return this.#columns.named.get(column)!.text;
  }

  /** @param value the position of the only column of values that the key is for */
  #put(key: RowKey, value?: number): void {
    const at = this.#keys.push(rowKey(key)) - 1;
    if (value !== undefined) this.#own[value]!.push(at);
  }

  /** Adds a key of the columns that some parts of the mapping name. */
  #add(parts: unknown, resolve: (row: Row) => RowAnswer, value?: number): void {
    const names = columnsOf(parts);
    const rowOf = (texts: readonly string[]): Row =>
      Object.fromEntries(names.map((name, i) => [name, texts[i]!.trim()]));
    const texts = names.map((name) => this.#textOf(name));
    this.#put({ texts, resolve: (given) => resolve(rowOf(given)) }, value);
  }

  #filter(column: string, isWanted: (text: string) => boolean, value?: number): void {
    const resolve = ({ [column]: text }: Row) => (isWanted(text!) ? {} : { notRead: `${column} ${text}` });
    this.#add({ column }, resolve, value);
  }

  /** Skips rows whose value is not in the list of names, if the mapping asks for that. */
  #filterNamed(parts: unknown, value?: number): void {
    for (const { column, names, others } of namings(parts))
      if (others === 'skip') this.#filter(column, (text) => names?.has(text) === true, value);
  }

  /** A date; null for an empty text, and where the mapping has none. A month or year is its last day, but as a start. */
  #dayOf(from: DateFrom | undefined, row: Row): number | null {
    const { start_date, periods } = this.#job.mapping;
    if (from === undefined) return null;
    const { text, format } = readDateText(from, row);
    if (text === '') return null;
    const isDay = this.#table.unread !== undefined && matchesDateFormat(text, 'YYYY-MM-DD');
    const parse = from === start_date && !periods.isLastDay ? parseFormattedDate : parseLastDay;
    return parse(text, isDay ? 'YYYY-MM-DD' : format);
  }

  #answerPeriod(firstMs: number | null, row: Row): RowAnswer {
    const { end_date, available_date, periods } = this.#job.mapping;
    const lastMs = this.#dayOf(end_date, row);
    if (firstMs === null) throw new RowError('the date is empty');
    const isOfDates = lastMs !== null && periods.firstMonth === null;
    const { startMs, endMs } = isOfDates
      ? { startMs: firstMs, endMs: lastMs }
      : toMappedPeriod(firstMs, periods);
    const period = { startMs, endMs: lastMs ?? endMs };
    if (period.endMs < startMs) throw new RowError('the period ends before it begins');
    if (available_date !== 'end_date') return period;
    return { ...period, availableMs: Math.min(period.endMs, this.#job.importedMs) };
  }

  /** A reader of a row's region by its name or code. */
  #nameReader(from: RegionFrom): (row: Row) => number {
    const { names } = this.#job;
    const resolve = (name: string) =>
      from.code === 'fips' ? names.resolveFips(name) : names.resolve('regions', name, from.level);
    return (row) => {
      const within = from.within === undefined ? '' : readText(from.within, row);
      const name = readText(from, row);
      return resolve(within === '' ? name : `${name}, ${within}`);
    };
  }
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

/** Returns the name for a row: the one that the mapping gives to its text, else the text, or the fixed name of all rows. */
function readText(from: NameFrom, row: Row): string {
  if ('name' in from) return from.name;
  const text = row[from.column]!;
  return from.names?.get(text) ?? text;
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
  { mapping, parseNumber, empty, missing }: CsvJob,
): RowAnswer {
  const metadataOf = (text: string) => (text === '' ? null : JSON.stringify({ flag: text }));
  if (cell === PLAIN_NUMBER) return { metadata: metadataOf(flag) };
  const whole = cell.trim();
  const flagged = mapping.flag === 'after_value' ? FLAGGED.exec(whole) : null;
  const [text, remark] = flagged === null ? [whole, flag] : [flagged[1]!, flagged[2]!];
  const isEmpty = text === '' || empty.has(text);
  if (isEmpty && remark === '') return { notRead: 'empty cells' };
  const value = isEmpty || missing.has(text) ? null : parseNumber(text, column);
  return { value, metadata: metadataOf(remark) };
}

/** Describes the numbers that the engine may parse: those that it parses like the number parser, and that mean a value. */
function figuresOf({ mapping, missing, empty }: CsvJob): Pick<RowValue, 'plain' | 'decimal' | 'except'> {
  return {
    plain: ` *${plainNumberPattern(mapping)} *`,
    decimal: mapping.decimal,
    except: [...missing.numbers, ...empty.numbers],
  };
}

/** Units whose values have other bounds than zero. */
const BOUNDED_UNITS = UNITS.filter(({ dimension }) => dimension === 'temperature' || dimension === 'share');

/** The identity of a station. */
export const stationIdentity = (source: string, code: string): string => `csv:${source}:${code}`;

/** A station that is farther from where it was, in degrees, is another one. */
const MAX_MOVE = 0.1;

/** A reader of a row's place by its identifier, which adds the place as a region of the level "coordinate". */
function createStationReader(
  { station, latitude, longitude, name = station }: StationFrom,
  { mapping, locator, places, batch, parseNumber }: CsvJob,
): (row: Row) => number {
  const degrees = (from: StationFrom['latitude'], row: Row, what: string, max: number): number => {
    if ('degrees' in from) return from.degrees;
    const value = parseNumber(row[from.column]!, what);
    if (Math.abs(value) <= max) return value;
    throw new RowError(`the ${what} ${value} is not between -${max} and ${max} degrees`);
  };
  const ids = new Map<string, number>();
  return (row) => {
    const code = readText(station, row);
    if (code === '') throw new RowError('the station has no identifier');
    const place = {
      name: readText(name, row) || code,
      definition: `Station ${code} of ${mapping.source.longName}.`,
      latitude: degrees(latitude, row, 'latitude', MAX_LATITUDE),
      longitude: degrees(longitude, row, 'longitude', MAX_LONGITUDE),
      aliases: [code],
    };
    const first = getOrCompute(places, code, () => place);
    for (const axis of ['latitude', 'longitude'] as const)
      if (Math.abs(place[axis] - first[axis]!) > MAX_MOVE)
        throw new RowError(
          `the station "${code}" has the ${axis} ${place[axis]}, and ${first[axis]} in an earlier row or import; give each place an identifier`,
        );
    return getOrCompute(ids, code, () =>
      batch.addNamedEntity(
        'regions',
        stationIdentity(mapping.source.name, code),
        pointRegion(place, locator),
      ),
    );
  };
}
