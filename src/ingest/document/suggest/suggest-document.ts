import { basename } from 'node:path';
import { REGION_LEVELS } from '../../../model/entity.js';
import { shownList } from '../../../model/errors.js';
import { COMMON_FORMATS, findDateFormat } from '../../reading/dates.js';
import { findUnitId } from '../../vocabulary/units.js';
import { documentName } from '../documents.js';
import { FILL_IN } from '../key-schemas.js';
import { loadKnownNames, type NamedKind } from '../known-names.js';
import type { NumberParser } from '../numbers.js';
import { typedFileError } from '../typed/typed-table.js';
import {
  findDates,
  isCalled,
  isDate,
  marksOf,
  type SampledColumn,
  SPLIT_YEARS,
  wordsAmongFigures,
} from './columns.js';
import { type Meaning, meaningOfColumn, meaningOfFigures } from './meanings.js';
import { readTableHead } from './table-head.js';

/** Adds the crop to a unit such as the bushel, which can be converted only if the crop is known. */
function ofCrop(unit: string | undefined, item: string | undefined): string | undefined {
  if (unit === undefined || item === undefined) return unit;
  const named = `${unit} (${item.toLowerCase()})`;
  return findUnitId(named) === undefined ? unit : named;
}

type Keys = Record<string, unknown>;
/** Strings that usually stand for missing values. */
const MISSING = ['', 'NA', 'N/A', 'n/a', 'NaN', 'null', '-', '..', ':', '.'];

/** Drafts a data set document from a table's first rows. Unclear values become "?", with a note. @throws IngestError */
export async function suggestDocument(file: string) {
  const head = await readTableHead(file);
  if (head === undefined) throw typedFileError(file, 'is not a table with several columns');
  const { delimiter, headerLine, sheet, otherSheets, header: columnNames, rows } = head;
  const known = await loadKnownNames();
  const notes: string[] = [];
  const used = new Set<string>();
  const columns: readonly SampledColumn[] = columnNames.map((given, at) => {
    const name = given || `column ${at + 1}`;
    const cells = rows.map((row) => row[at]!.trim());
    return { name, cells, texts: [...new Set(cells)].filter((text) => !MISSING.includes(text)) };
  });
  const marks = marksOf(columns, delimiter);
  const meanings = columns.flatMap((column) => {
    if (wordsAmongFigures(column, marks.parse) !== null) return [];
    return meaningOfColumn(column, known) ?? [];
  });
  const headers = findHeaderFormats(columnNames);
  const [header] = headers;

  function datesOf(): Keys {
    if (headers.length > 1)
      notes.push(`fill in "start_date.header": the dates in column names could be ${headers.join(' or ')}`);
    if (header !== undefined) {
      const isSplit = headers.some((format) => findDateFormat(format)!.isSplitYear);
      if (isSplit) notes.push(SPLIT_YEARS);
      return {
        start_date: { header: headers.length > 1 ? FILL_IN : header },
        first_month: isSplit ? FILL_IN : undefined,
      };
    }
    const found = findDates(columns);
    notes.push(...found.notes);
    for (const column of found.columns) use(column);
    return found.keys;
  }

  function regionOf(): unknown {
    const find = (meaning: Parameters<typeof isCalled>[1]) =>
      columns.find(({ name }) => isCalled(name, meaning))?.name;
    const [latitude, longitude] = [find('latitude'), find('longitude')];
    if (latitude !== undefined && longitude !== undefined) {
      const station = find('station') ?? FILL_IN;
      const name = find('stationName');
      if (station === FILL_IN) notes.push('fill in "region.station": the column that identifies a place');
      return {
        station: use(station),
        latitude: use(latitude),
        longitude: use(longitude),
        name: name && use(name),
      };
    }
    const fips = find('fips');
    if (fips !== undefined) return { column: use(fips), code: 'fips' };
    const meaning = take('regions');
    const district = meaning && districtWithin(meaning);
    if (district !== undefined) return district;
    if (meaning !== undefined) return { column: meaning.column, level: meaning.level };
    notes.push(
      'fill in "region": a column of region names, or { "name": … } if all rows have the same region',
    );
    return { name: FILL_IN };
  }

  /** Finds a column of district names that are unique only within a state, such as Boone County in Iowa. */
  function districtWithin({ column, level }: Meaning): Keys | undefined {
    if (level !== 'province') return undefined;
    const found = columns.find(
      ({ name }) => isCalled(name, 'district') && !isCalled(name, 'code') && !used.has(name),
    );
    return found && { column: use(found.name), within: column, level: 'district' };
  }

  function take(kind: NamedKind): Meaning | undefined {
    const found = meanings
      .filter((meaning) => meaning.kind === kind && !used.has(meaning.column))
      .sort((a, b) => depthOf(b) - depthOf(a) || codeOf(a) - codeOf(b))[0];
    if (found === undefined) return undefined;
    use(found.column);
    if (found.unknown.length > 0)
      notes.push(
        `"${found.column}" contains ${kind} that are not in the vocabulary: ${shownList(found.unknown, MAX_LISTED)}; map them with "names", or add them with "define"`,
      );
    return found;
  }

  function isOfFigures(column: SampledColumn): boolean {
    if (header !== undefined) return isDatedColumn(column.name);
    const isNamed = used.has(column.name) || isCalled(column.name, 'no figures');
    return !isNamed && wordsAmongFigures(column, marks.parse) !== null;
  }

  const isDatedColumn = (name: string): boolean => header !== undefined && isDate(name, header);

  function figuresOf(): Keys {
    if (header !== undefined) return complete({});
    const values = figures.map(({ name }) => ({
      column: name,
      ...complete(meaningOfFigures(name, known), name),
    }));
    if (values.length > 1) return { values };
    const [only] = values;
    if (only !== undefined) {
      const { column, ...entry } = only;
      return { ...entry, values: column };
    }
    notes.push('fill in "values": no column contains figures');
    return { values: FILL_IN, ...complete({}) };
  }

  /** Returns the keys for metric, item and unit: each is a column, a name found in the value column's name, or "?". */
  function complete(figures: Partial<Record<string, string | undefined>>, column?: string): Keys {
    const keys: Keys = {};
    for (const key of ['metric', 'item', 'unit'] as const) {
      const own = key === 'unit' ? ofCrop(figures.unit, figures.item) : figures[key];
      keys[key] = names[key] ?? { name: own ?? FILL_IN };
      if (names[key] === undefined && figures[key] === undefined) {
        const where = column === undefined ? '' : ` of "${column}"`;
        notes.push(`fill in the ${key}${where}`);
      }
    }
    return keys;
  }

  function use(column: string): string {
    used.add(column);
    return column;
  }

  if (otherSheets.length > 0)
    notes.push(
      `only the sheet "${sheet}" of the workbook is read, not ${otherSheets.map((name) => `"${name}"`).join(', ')}`,
    );
  const dates = datesOf();
  const region = regionOf();
  const names = { metric: take('metrics')?.column, item: take('items')?.column, unit: take('units')?.column };
  if (marks.note !== undefined) notes.push(marks.note);
  const figures = columns.filter((column) => isOfFigures(column) && used.add(column.name));
  const recognised = columns.filter(
    ({ name }) => used.has(name) && columnNames.includes(name) && !isDatedColumn(name),
  );
  const document = {
    name: documentName(file),
    recognise: recognised.length === 0 ? undefined : { columns: recognised.map(({ name }) => name) },
    source: { name: basename(file).replace(/(\.(csv|tsv|txt|gz|zip|xlsx|parquet))+$/i, '') },
    delimiter: delimiter === ',' ? undefined : delimiter,
    sheet,
    header_line: headerLine === 1 ? undefined : headerLine,
    ...marks.keys,
    region,
    ...dates,
    ...figuresOf(),
    missing: missingOf(figures, marks.parse),
  };
  const unread = columns.filter(({ name }) => !used.has(name));
  if (unread.length > 0)
    notes.push(`columns that are not read: ${unread.map(({ name }) => name).join(', ')}`);
  return { document: JSON.parse(JSON.stringify(document)), notes };
}

function findHeaderFormats(names: readonly string[]): string[] {
  const counted = COMMON_FORMATS.map((format) => ({
    format,
    count: names.filter((name) => isDate(name, format)).length,
  }));
  const most = Math.max(2, ...counted.map(({ count }) => count));
  return counted.filter(({ count }) => count === most).map(({ format }) => format);
}

/** Lists the strings that stand for missing values, or returns `undefined` if the default list includes them all. */
function missingOf(figures: readonly SampledColumn[], parse: NumberParser): string[] | undefined {
  const found = figures.flatMap((column) => [
    ...column.cells.filter((text) => MISSING.includes(text)),
    ...(wordsAmongFigures(column, parse) ?? []),
  ]);
  const texts = [...new Set(['NA', ...found])].filter((text) => text !== '');
  return texts.length === 1 ? undefined : texts;
}

const MAX_LISTED = 10;
/** Returns the depth of a column's region level. The column with the deepest level names the rows' regions. */
const depthOf = ({ level }: Meaning): number => (level === undefined ? 0 : REGION_LEVELS[level]);
/** Returns 1 for a column of codes, to sort it last. Codes vary: GM is Germany in one table and Gambia in another. */
const codeOf = ({ column }: Meaning): number => Number(isCalled(column, 'code'));
