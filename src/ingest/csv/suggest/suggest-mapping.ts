import { basename } from 'node:path';
import { REGION_LEVELS } from '../../../model/entity.js';
import { IngestError } from '../../../model/errors.js';
import { DATE_FORMATS, type DateFormat, matchesDateFormat } from '../dates.js';
import { type KnownNames, loadKnownNames } from '../known-names.js';
import { FILL_IN } from '../parse-mapping.js';
import { findDates, marksOf, missingTexts, type SampledColumn } from './columns.js';
import {
  isHinted,
  type Meaning,
  meaningOfColumn,
  meaningOfFigures,
  type NamedKind,
  namesDistricts,
  nearestNames,
  ofCrop,
} from './meanings.js';
import { readTableHead, type TableHead } from './table-head.js';

/** Whether a unit is a mass only with its crop: bushels. */
const lacksCrop = (unit: string | undefined): boolean => ofCrop(unit, 'corn') !== unit;

/** A first mapping of a table, and notes on its gaps. */
export interface SuggestedMapping {
  readonly mapping: Readonly<Record<string, unknown>>;
  readonly notes: readonly string[];
}

type Keys = Record<string, unknown>;
/** The columns of names. */
type NameColumns = Readonly<Record<'metric' | 'item' | 'unit', string | undefined>>;
/** Texts that mean "no value" in most tables. */
const MISSING = ['', 'NA', 'N/A', 'n/a', 'NaN', 'null', '-', '..', ':', '.'];
/** Formats of the names of columns; others could be two. */
const HEADER_FORMATS = DATE_FORMATS.filter((format) => format.startsWith('YYYY'));
const NO_FIGURES =
  /^(.*[_ ])?(id|code|ansi|year|month|day|week|quarter|rank|row|nr|no|index|case|zip)$|^(lat|lon|lng)/i;

/**
 * Suggests a mapping from the beginning of a table, by its cells and exact names. Gaps are "?", and an import refuses
 * them.
 * @throws IngestError when the file cannot be read or has no columns
 */
export async function suggestMapping(file: string): Promise<SuggestedMapping> {
  const head = await readTableHead(file);
  const name = basename(file);
  if (head.header.length === 0)
    throw new IngestError('csv', `${name} is not a table with several columns`, { file: name });
  return new Suggestion(name, head, await loadKnownNames()).make();
}

class Suggestion {
  readonly #notes: string[] = [];
  readonly #columns: readonly SampledColumn[];
  readonly #meanings: Meaning[];
  readonly #used = new Set<string>();
  readonly #figureColumns = new Set<string>();
  readonly #marks: ReturnType<typeof marksOf>;

  readonly #name: string;
  readonly #head: TableHead;
  readonly #known: KnownNames;

  constructor(name: string, head: TableHead, known: KnownNames) {
    this.#name = name;
    this.#head = head;
    this.#known = known;
    this.#columns = head.header.map((column, at) => ({
      name: column,
      texts: [...new Set(head.rows.map((row) => row[at]!.trim()))].filter((text) => !MISSING.includes(text)),
    }));
    this.#marks = marksOf(this.#columns, head.delimiter);
    this.#meanings = this.#columns.flatMap((column) => {
      if (missingTexts(column, this.#marks.parse) !== null) return [];
      return meaningOfColumn(column, known) ?? [];
    });
  }

  make(): SuggestedMapping {
    const { delimiter, headerLine, sheet, otherSheets = [] } = this.#head;
    if (otherSheets.length > 0)
      this.#notes.push(
        `of the workbook this reads the sheet "${sheet}"; it has others: ${otherSheets.map((name) => `"${name}"`).join(', ')}`,
      );
    const dates = this.#dates();
    const region = this.#region();
    const [metric, item, unit] = (['metrics', 'items', 'units'] as const).map(
      (kind) => this.#take(kind)?.column,
    );
    if (this.#marks.note !== undefined) this.#notes.push(this.#marks.note);
    const mapping = {
      source: { name: this.#name.replace(/(\.(csv|tsv|txt|gz|zip|xlsx|parquet))+$/i, '') },
      delimiter: delimiter === ',' ? undefined : delimiter,
      sheet,
      header_line: headerLine === 1 ? undefined : headerLine,
      ...this.#marks.keys,
      region,
      ...dates,
      ...this.#figures(dates, { metric, item, unit }),
      missing: this.#missing(),
    };
    this.#noteUnread();
    return { mapping: JSON.parse(JSON.stringify(mapping)), notes: this.#notes };
  }

  /** The texts of columns of figures that are none; undefined where the default has them. */
  #missing(): string[] | undefined {
    const found = this.#columns.flatMap((column, at) => {
      if (!this.#figureColumns.has(column.name)) return [];
      const usual = this.#head.rows.map((row) => row[at]!.trim()).filter((text) => MISSING.includes(text));
      return [...usual, ...(missingTexts(column, this.#marks.parse) ?? [])];
    });
    const texts = [...new Set(['NA', ...found])].filter((text) => text !== '');
    return texts.length === 1 ? undefined : texts;
  }

  #noteUnread(): void {
    const unread = this.#columns.map(({ name }) => name).filter((name) => !this.#used.has(name));
    if (unread.length > 0) this.#notes.push(`columns that are not read: ${unread.join(', ')}`);
    const keys = this.#columns.filter(({ name }) => this.#used.has(name) && !this.#figureColumns.has(name));
    const column = findDistinction(this.#head, { keys: keys.map(({ name }) => name), unread });
    if (column !== undefined && keys.length > 0)
      this.#notes.push(
        `several rows have the same ${keys.map(({ name }) => `"${name}"`).join(', ')}, and "${column}" tells them apart: ` +
          'map it, or say in "only" which rows are read; else they contradict each other',
      );
  }

  #dates(): Keys {
    const header = HEADER_FORMATS.find(
      (format) => this.#head.header.filter((column) => matchesDateFormat(column, format)).length > 1,
    );
    if (header !== undefined) return { start_date: { header } };
    const { keys, notes } = findDates(this.#columns);
    this.#notes.push(...notes);
    for (const from of Object.values(keys))
      if (typeof from === 'object' && from !== null && 'column' in from) this.#used.add(String(from.column));
    return keys;
  }

  #region(): unknown {
    const find = (pattern: RegExp) => this.#columns.find((column) => pattern.test(column.name))?.name;
    const [latitude, longitude] = [find(/^lat(itude)?$/i), find(/^(lon|lng|longitude)$/i)];
    if (latitude !== undefined && longitude !== undefined) {
      const station = find(/^(station|site|stn|gauge|location)?[ _]?(id|code|number)?$/i) ?? FILL_IN;
      const name = find(/^((station|site)[ _])?(name|title)$/i);
      if (station === FILL_IN)
        this.#notes.push('fill in "region.station": the column that identifies a place');
      return {
        station: this.#use(station),
        latitude: this.#use(latitude),
        longitude: this.#use(longitude),
        name: name && this.#use(name),
      };
    }
    const fips = find(/fips|^geoid$/i);
    if (fips !== undefined) return { column: this.#use(fips), code: 'fips' };
    const meaning = this.#take('regions');
    const district = meaning && this.#districtWithin(meaning);
    if (district !== undefined) return district;
    if (meaning !== undefined) return { column: meaning.column, level: meaning.level };
    this.#notes.push('fill in "region": a column of names, or { "name": … } of the place of all rows');
    return { name: FILL_IN };
  }

  /** A column of districts by names that only their states tell apart: county Boone in Iowa. */
  #districtWithin({ column, level }: Meaning): Keys | undefined {
    if (level !== 'province') return undefined;
    const at = this.#head.header.indexOf(column);
    const found = this.#columns.find(({ name }) => {
      const own = this.#head.header.indexOf(name);
      const texts = this.#head.rows.map((row) => `${row[own]!.trim()}, ${row[at]!.trim()}`);
      return !this.#used.has(name) && namesDistricts(name, texts, this.#known);
    });
    return found && { column: this.#use(found.name), within: column, level: 'district' };
  }

  #take(kind: NamedKind): Meaning | undefined {
    const found = this.#meanings
      .filter((meaning) => meaning.kind === kind && !this.#used.has(meaning.column))
      .sort((a, b) => depthOf(b) - depthOf(a))[0];
    if (found === undefined) return undefined;
    this.#use(found.column);
    if (found.unknown.length > 0)
      this.#notes.push(
        `of "${found.column}" these are no ${kind} of the vocabulary: ${found.unknown
          .slice(0, MAX_LISTED)
          .map((text) => text + this.#near(text, kind))
          .join(', ')}; give "names", or "define" them`,
      );
    return found;
  }

  #figures(dates: Keys, names: NameColumns): Keys {
    if ('header' in (dates.start_date as object)) {
      const { header } = dates.start_date as { header: DateFormat };
      for (const column of this.#head.header.filter((name) => matchesDateFormat(name, header)))
        this.#figureColumns.add(this.#use(column));
      return this.#complete({}, names);
    }
    const values = this.#columns.flatMap((column) => {
      if (this.#used.has(column.name) || NO_FIGURES.test(column.name)) return [];
      if (missingTexts(column, this.#marks.parse) === null) return [];
      const entry = this.#complete({ ...meaningOfFigures(column.name, this.#known) }, names, column.name);
      this.#figureColumns.add(column.name);
      return [{ column: this.#use(column.name), ...entry }];
    });
    if (values.length > 1) return { values };
    const [only] = values;
    if (only !== undefined) {
      const { column, ...entry } = only;
      return { ...entry, value: column };
    }
    this.#notes.push('fill in "value": there is no column of figures');
    return { value: FILL_IN, ...this.#complete({}, names) };
  }

  /** Metric, item and unit: of a column of names, of the name of the figures' column, or to be filled in. */
  #complete(
    figures: Readonly<Record<string, string | undefined>>,
    names: NameColumns,
    column?: string,
  ): Keys {
    const keys: Keys = {};
    for (const key of ['metric', 'item', 'unit'] as const) {
      const own = key === 'unit' ? ofCrop(figures.unit, figures.item) : figures[key];
      keys[key] = names[key] ?? { name: own ?? FILL_IN };
      if (names[key] === undefined && figures[key] === undefined) {
        const where = column === undefined ? '' : ` of "${column}"`;
        this.#notes.push(
          `fill in the ${key}${where}${this.#near(column ?? '', `${key}s`)}${this.#perhaps(key)}`,
        );
      } else if (key === 'unit' && names.unit === undefined && lacksCrop(own))
        this.#notes.push(
          `name the crop in the unit "${own}", as in "${ofCrop(own, 'corn')}": without it, values do not convert`,
        );
    }
    return keys;
  }

  /** The names of the vocabulary that are near a text. */
  #near(text: string, kind: NamedKind): string {
    const names = nearestNames(text, kind, this.#known).map((name) => `"${name}"`);
    return names.length === 0 ? '' : ` (the nearest: ${names.join(', ')})`;
  }

  /** The column that its name suggests, and the reason against it. */
  #perhaps(key: 'metric' | 'item' | 'unit'): string {
    const column = this.#columns.find(({ name }) => !this.#used.has(name) && isHinted(name, `${key}s`));
    const [text] = column?.texts ?? [];
    if (column === undefined || text === undefined) return '';
    return `: perhaps "${column.name}", but "${text}" is no ${key} of the vocabulary; give "names", or "define" them`;
  }

  #use(column: string): string {
    this.#used.add(column);
    return column;
  }
}

/**
 * The column, among those that are not read, that tells the most rows apart which have the same texts in all key columns;
 * undefined when no rows do, or no column tells them apart.
 */
function findDistinction(
  { header, rows }: TableHead,
  { keys, unread }: { keys: readonly string[]; unread: readonly string[] },
): string | undefined {
  const count = (columns: readonly string[]): number => {
    const at = columns.map((column) => header.indexOf(column));
    return new Set(rows.map((row) => JSON.stringify(at.map((i) => row[i])))).size;
  };
  const known = count(keys);
  if (known === rows.length) return undefined;
  const counts = unread.map((column) => ({ column, rows: count([...keys, column]) }));
  const [best] = counts.filter((each) => each.rows > known).sort((a, b) => b.rows - a.rows);
  return best?.column;
}

const MAX_LISTED = 10;
/** The level of a column of regions: the smallest regions are those of the rows. */
const depthOf = ({ level }: Meaning): number => (level === undefined ? 0 : REGION_LEVELS[level]);
