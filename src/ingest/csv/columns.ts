import { findColumn } from '../reading/tables.js';
import { matchesDateFormat, parseCellDate, parseMappedDate } from './dates.js';
import type { DateFrom, Mapping, NameFrom } from './mapping.js';

type Fields = readonly string[];
type TextOf = (fields: Fields) => string;

/** A column of values, with readers of its metric, item and unit. */
export interface MappedValue {
  readonly column: string;
  readonly at: number;
  readonly metric: TextOf;
  readonly item: TextOf;
  readonly unit: TextOf;
  /** The date of every value, where the column is named by it; else null. */
  readonly startMs: number | null;
  /** What the row has that is not to be read, such as `crops C1600`; null when the value is to be read. */
  readonly notRead: (fields: Fields) => string | null;
}

/** Readers of a row, from a mapping and the header of one table. */
export interface MappedColumns {
  /** UTC milliseconds, null when the field is empty; null when each value has the date of its column. */
  readonly start: ((fields: Fields) => number | null) | null;
  /** The position of the column of `start`; -1 without one. */
  readonly startAt: number;
  /** UTC milliseconds; null when the field is empty or not mapped. */
  readonly end: (fields: Fields) => number | null;
  readonly reporting: (fields: Fields) => number | null;
  readonly available: (fields: Fields) => number | null;
  readonly flag: TextOf | null;
  readonly values: readonly MappedValue[];
  /** Whether some rows, or values of rows, are not to be read. */
  readonly isFiltered: boolean;
}

/** A test whether the mapping names a column, in any case. */
export function createColumnFilter(mapping: Mapping): (column: string) => boolean {
  const { start_date, values } = mapping;
  const folded = new Set([...findOtherColumns(mapping), ...foldedColumns([...values, start_date])]);
  const isDate = (column: string) => 'header' in start_date && matchesDateFormat(column, start_date.header);
  return (column) => folded.has(column.toLowerCase()) || isDate(column);
}

/** The columns that the mapping names for anything but start dates and values, in lower case. */
export function findOtherColumns(mapping: Mapping): ReadonlySet<string> {
  const { region, partner_region, values, filters, flag } = mapping;
  const names = values.flatMap(({ metric, item, unit }) => [metric, item, unit]);
  const place =
    'station' in region
      ? [region.station, region.latitude, region.longitude, region.name]
      : [region, region.within];
  const dates = [mapping.end_date, mapping.reporting_date, mapping.available_date];
  const partner = [partner_region, partner_region?.within];
  return new Set(foldedColumns([...filters, ...names, ...place, ...partner, ...dates, flag]));
}

function foldedColumns(froms: readonly (object | string | null | undefined)[]): string[] {
  return froms.flatMap((from) =>
    typeof from === 'object' && from !== null && 'column' in from ? [String(from.column).toLowerCase()] : [],
  );
}

/** The columns of values in a table: those that the mapping names, or those that are named by their dates. */
export function findValueColumns(header: Fields, { start_date, values }: Mapping): readonly string[] {
  if (!('header' in start_date)) return values.map(({ column }) => column);
  return [...new Set(header.filter((column) => matchesDateFormat(column, start_date.header)))];
}

/**
 * @param hasTypes whether dates may be cells of that type
 * @throws IngestError when the header does not have a column of the mapping
 */
export function bindColumns(
  header: Fields,
  file: string,
  { mapping, hasTypes }: { mapping: Mapping; hasTypes: boolean },
): MappedColumns {
  const { start_date, region, partner_region, flag } = mapping;
  const binder = new Binder(header, file, hasTypes);
  const checks = [
    ...mapping.filters.map(({ column, values, keep }) =>
      binder.check(column, (text) => values.has(text) === keep),
    ),
    ...binder.nameChecks(
      ['station' in region ? null : region, partner_region].flatMap((from) => [from, from?.within ?? null]),
    ),
  ];
  const valueChecks = mapping.values.map(({ metric, item, unit }) => binder.nameChecks([metric, item, unit]));
  return {
    isFiltered: checks.length + valueChecks.flat().length > 0,
    start: 'header' in start_date ? null : binder.day(start_date),
    startAt: 'header' in start_date ? -1 : binder.at(start_date.column),
    end: binder.day(mapping.end_date),
    reporting: binder.day(mapping.reporting_date),
    available: binder.day(findAvailableColumn(mapping)),
    flag: flag === null || flag === 'after_value' ? null : binder.name(flag),
    values: findValueColumns(header, mapping).map((column, i) => {
      const at = 'header' in start_date ? 0 : i;
      const { metric, item, unit } = mapping.values[at]!;
      return {
        column,
        // Of dates that the header repeats, the first is read; the others are counted as not read.
        at: 'header' in start_date ? header.indexOf(column) : binder.at(column),
        metric: binder.name(metric),
        item: binder.name(item),
        unit: binder.name(unit),
        startMs: 'header' in start_date ? parseMappedDate(column, start_date.header) : null,
        notRead: firstOf([...checks, ...valueChecks[at]!]),
      };
    }),
  };
}

function findAvailableColumn({ available_date, reporting_date }: Mapping): DateFrom | null {
  if (available_date === null || 'column' in available_date) return available_date;
  return available_date.equal_to === 'reporting_date' ? reporting_date : null;
}

type Check = MappedValue['notRead'];

function firstOf(checks: readonly Check[]): Check {
  return (fields) => {
    for (const check of checks) {
      const found = check(fields);
      if (found !== null) return found;
    }
    return null;
  };
}

/** A reader of a trimmed field, of its name where there is a list of names, or of the one name of all rows. */
export function createTextReader(from: NameFrom, at: (column: string) => number): TextOf {
  if ('name' in from) return () => from.name;
  const { names } = from;
  const column = at(from.column);
  if (names === undefined) return (fields) => fields[column]!.trim();
  return (fields) => names.get(fields[column]!.trim()) ?? '';
}

/** Dates that are kept by their text, as rows share most of them. */
const MAX_KNOWN_DATES = 50_000;
/** A longer text may be a part of the file's text, all of which would be kept with it. */
const MAX_KEPT_LENGTH = 12;

/** What is known of dates by their texts, as far as these may be kept. */
export class KnownDates<Value> {
  readonly #values = new Map<string, Value>();

  get(text: string): Value | undefined {
    return this.#values.get(text);
  }

  set(text: string, value: Value): void {
    if (text.length <= MAX_KEPT_LENGTH && this.#values.size < MAX_KNOWN_DATES) this.#values.set(text, value);
  }
}

/** Makes readers of the fields of one table. */
class Binder {
  readonly #header: Fields;
  readonly #file: string;
  readonly #parseDate: typeof parseMappedDate;

  constructor(header: Fields, file: string, hasTypes: boolean) {
    this.#header = header;
    this.#file = file;
    this.#parseDate = hasTypes ? parseCellDate : parseMappedDate;
  }

  at(column: string): number {
    return findColumn(this.#header, column, { dataset: 'csv', file: this.#file });
  }

  name(from: NameFrom): TextOf {
    return createTextReader(from, (column) => this.at(column));
  }

  day(from: DateFrom | null): (fields: Fields) => number | null {
    if (from === null) return () => null;
    const column = this.at(from.column);
    const known = new KnownDates<number>();
    return (fields) => {
      const text = fields[column]!;
      const ms = known.get(text);
      if (ms !== undefined) return ms;
      if (text.trim() === '') return null;
      const parsed = this.#parseDate(text, from.format);
      known.set(text, parsed);
      return parsed;
    };
  }

  check(column: string, isRead: (text: string) => boolean): Check {
    const at = this.at(column);
    return (fields) => {
      const text = fields[at]!.trim();
      return isRead(text) ? null : `${column} ${text}`;
    };
  }

  /** Checks that texts have a name, where there is a list of names. */
  nameChecks(froms: readonly (NameFrom | null)[]): Check[] {
    return froms.flatMap((from) => {
      if (from === null || !('column' in from) || from.names === undefined) return [];
      const { names } = from;
      return [this.check(from.column, (text) => names.has(text))];
    });
  }
}
