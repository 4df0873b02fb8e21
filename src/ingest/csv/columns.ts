import type { RowAnswer, RowKey } from '../../store/store.js';
import { RowError } from '../batch/batch-builder.js';
import { findColumn } from '../reading/tables.js';
import { rowKey } from '../reading/text-rows.js';
import { matchesDateFormat, parseCellDate, parseMappedDate } from './dates.js';
import type { DateFrom, Mapping, NameFrom } from './mapping.js';

export type At = (column: string) => number;
export type Fields = readonly string[];

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

/** A test whether the mapping names a column, in any case. */
export function createColumnFilter(mapping: Mapping): (column: string) => boolean {
  const { start_date, region, partner_region, values, filters, flag } = mapping;
  const names = values.flatMap(({ metric, item, unit }) => [metric, item, unit]);
  const place =
    'station' in region
      ? [region.station, region.latitude, region.longitude, region.name]
      : [region, region.within];
  const dates = [start_date, mapping.end_date, mapping.reporting_date, mapping.available_date];
  const partner = [partner_region, partner_region?.within];
  const froms = [...values, ...filters, ...names, ...place, ...partner, ...dates, flag];
  const folded = new Set(
    froms.flatMap((from) =>
      typeof from === 'object' && from !== null && 'column' in from ? [from.column.toLowerCase()] : [],
    ),
  );
  const isDate = (column: string) => 'header' in start_date && matchesDateFormat(column, start_date.header);
  return (column) => folded.has(column.toLowerCase()) || isDate(column);
}

/** A reader of a trimmed field, of its name where there is a list of names, or of the one name of all rows. */
export function createTextReader(from: NameFrom, at: At): (fields: Fields) => string {
  if ('name' in from) return () => from.name;
  const { names } = from;
  const column = at(from.column);
  if (names === undefined) return (fields) => fields[column]!.trim();
  return (fields) => names.get(fields[column]!.trim()) ?? '';
}

/** The fields of a table's rows; a first column that holds several, as Eurostat's does, is taken apart. */
export class MappedFields {
  readonly header: Fields;
  readonly #hasTypes: boolean;
  readonly #file: string;
  readonly #split: ReturnType<typeof splitKeyColumn>;
  /** Columns that the first one of the file holds beside its first. */
  readonly #shift: number;

  constructor({ file, header, hasTypes }: MappedTable) {
    this.#split = splitKeyColumn(header);
    this.header = this.#split?.header ?? header;
    this.#shift = this.header.length - header.length;
    this.#hasTypes = hasTypes;
    this.#file = file;
  }

  /** The names of the columns that are not read: those outside the mapping, and the second of two with one name. */
  unread({ header, names = header }: MappedTable, mapping: Mapping): string[] {
    const wantsColumn = createColumnFilter(mapping);
    const seen = new Set<string>();
    return (splitKeyColumn(names)?.header ?? names).flatMap((name, i) => {
      const isRepeated = seen.has(name.toLowerCase());
      seen.add(name.toLowerCase());
      if (wantsColumn(name) && !isRepeated) return [];
      return name === '' ? `column ${i + 1}` : isRepeated ? `${name} (column ${i + 1})` : name;
    });
  }

  readonly at: At = (column) => findColumn(this.header, column, { dataset: 'csv', file: this.#file });

  /** The position of a column in the file. */
  inFile(at: number): number {
    return Math.max(0, at - this.#shift);
  }

  /** A key of the columns that `bind` asks for, and of a value. */
  key(
    answers: RowKey['answers'],
    bind: (at: At) => (fields: Fields, value: string) => RowAnswer,
    ofValue?: number,
  ): RowKey {
    const used = new Set<number>();
    const read = bind((column) => {
      const at = this.at(column);
      used.add(at);
      return at;
    });
    const columns = [...new Set([...used].map((at) => this.inFile(at)))];
    return rowKey({
      texts: [...columns, ...(ofValue === undefined ? [] : [{ ofValue }])],
      answers,
      resolve: (texts) => read(this.#fieldsOf(columns, texts), texts.at(-1) ?? ''),
    });
  }

  #fieldsOf(columns: readonly number[], texts: readonly string[]): Fields {
    const fields: string[] = [];
    for (const [i, column] of columns.entries()) fields[column] = texts[i]!;
    return this.#split === null || fields[0] === undefined
      ? shifted(fields, this.#shift)
      : this.#split.split(fields);
  }

  /** Leaves out the rows whose trimmed text is not wanted. */
  filter(column: string, isWanted: (text: string) => boolean): RowKey {
    return this.key([], (bound) => {
      const at = bound(column);
      return (fields) => {
        const text = fields[at]!.trim();
        return isWanted(text) ? {} : { notRead: `${column} ${text}` };
      };
    });
  }

  /** A reader of a date; null for an empty text, and where the mapping has none. */
  day(from: DateFrom | undefined, at: At): (fields: Fields) => number | null {
    if (from === undefined) return () => null;
    const column = at(from.column);
    const parse = this.#hasTypes ? parseCellDate : parseMappedDate;
    return (fields) => (fields[column]!.trim() === '' ? null : parse(fields[column]!, from.format));
  }
}

/** The fields at the positions that they have after a first one that holds several. */
function shifted(fields: readonly string[], by: number): Fields {
  return by === 0 ? fields : [...Array<string>(by), ...fields];
}

/** The first column of Eurostat's TSV files: the names of the dimensions, and after a backslash that of the other columns. */
const KEY = /^([^\\]+)\\(?:TIME_PERIOD|time)$/i;

interface KeyColumn {
  readonly header: readonly string[];
  /** A row with the parts of its key as fields. @throws RowError when it does not have as many as the header */
  readonly split: (fields: readonly string[]) => string[];
}

/** A table whose first column holds several, such as `freq,crops,geo\TIME_PERIOD`, with a column for each; null for others. */
function splitKeyColumn(header: readonly string[]): KeyColumn | null {
  const [, key] = KEY.exec(header[0] ?? '') ?? [];
  if (key === undefined) return null;
  const names = key.split(',');
  return {
    header: [...names, ...header.slice(1)],
    split: ([first = '', ...rest]) => {
      const parts = first.split(',');
      if (parts.length === names.length) return [...parts, ...rest];
      throw new RowError(`the key "${first}" has ${parts.length} parts, but "${key}" has ${names.length}`);
    },
  };
}
