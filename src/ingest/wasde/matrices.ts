import { DamagedTextError, type TextRecord } from '../reading/delimited.js';
import { readXml, type XmlVisitor } from '../reading/xml.js';
import { itemId } from '../vocabulary/items.js';
import { listed, readTable } from '../vocabulary/text-table.js';

/**
 * The columns of a report's figures as rows. `number` is the position of the block in its table, counted from 1; 0 for figures
 * outside of blocks. `units` are those printed in the block from the top, or once for the blocks of the table, a line each.
 * The other columns are labels as printed: `2026/27 Proj.` as the year, and in columns of projections the month of the
 * estimate.
 */
export const COLUMNS = [
  ...(['title', 'subtitle', 'footer', 'reportMonth', 'attribute', 'year', 'month', 'region'] as const),
  ...(['number', 'units', 'value'] as const),
];
type Column = (typeof COLUMNS)[number];
type Labels = Partial<Omit<Record<Column, string>, 'number' | 'units' | 'value'>>;

/** XML attributes that hold labels; their numbers differ between tables. */
const LABELS: readonly (readonly [RegExp, keyof Labels])[] = [
  [/^sub_report_title$/, 'title'],
  [/^sub_report_subtitle$/, 'subtitle'],
  [/^sub_report_footer\d*$/, 'footer'],
  [/^Report_Month$/, 'reportMonth'],
  [/^attribute\d+$/, 'attribute'],
  [/^(?:market_year|region_header)\d+$/, 'year'],
  [/^forecast_month\d+$/, 'month'],
  [/^region\d+$/, 'region'],
];
const MATRIX = /^matrix(\d+)$/;
const UNIT = /^m\d+_unit_descr\d+$/;
/** A heading of the table of sorghum, barley and oats, with the unit of its three blocks. */
const TABLE_UNIT = /^Textbox\d+$/;
/** With a prefix in tables that are not imported, such as those of meat. */
const VALUE = /^(?:m\d+_)?cell_value\d*$/;

/** Reports have about 3 MB. A longer text could fill memory with a block, or an element, that does not end. */
const MAX_BYTES = 20_000_000;

/**
 * Reads the figures of a monthly report in XML as rows, block by block. Memory is bounded for any text.
 * @throws DamagedTextError when the text is not well-formed XML, has constructs that no report has, or has no figures
 */
export async function* readFigures(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TextRecord> {
  const rows: TextRecord[] = [];
  let hasFigures = false;
  for await (const _ of readXml(chunks, figureVisitor(rows), MAX_BYTES)) {
    hasFigures ||= rows.length > 0;
    yield* rows.splice(0);
  }
  if (!hasFigures) throw new DamagedTextError(1, 'it has no tables, so it is not a WASDE report');
}

interface Figure extends Labels {
  readonly value: string;
  readonly line: number;
}

/** @param rows receives the rows */
function figureVisitor(rows: TextRecord[]): XmlVisitor {
  const levels: Labels[] = [{}];
  /** Of the block; 0 outside of blocks. */
  let number = 0;
  let figures: Figure[] = [];
  let units = new Map<string, string>();
  let tableUnit = '';

  function open(name: string, attributes: Readonly<Record<string, string>>, line: number): void {
    if (attributes.sub_report_title !== undefined) tableUnit = '';
    const matrix = MATRIX.exec(name);
    if (matrix !== null) {
      pass();
      number = Number(matrix[1]);
      units = new Map();
    }
    const labels = { ...levels.at(-1)! };
    for (const [attribute, text] of Object.entries(attributes)) {
      const label = LABELS.find(([pattern]) => pattern.test(attribute));
      if (label !== undefined) labels[label[1]] = printedLabel(text);
      else if (UNIT.test(attribute)) units.set(attribute, joinUnit(attribute, text));
      else if (TABLE_UNIT.test(attribute)) tableUnit ||= text.trim();
      else if (VALUE.test(attribute)) figures.push({ ...labels, value: text.trim(), line });
    }
    levels.push(labels);
  }

  function close(name: string): void {
    levels.pop();
    const isMatrix = MATRIX.test(name);
    if (isMatrix || number === 0) pass();
    if (isMatrix) number = 0;
  }

  /** A unit may be split across columns ("Thousand Short", " Tons"), and each group of attributes repeats it. */
  function joinUnit(attribute: string, text: string): string {
    const known = units.get(attribute) ?? '';
    const part = text.trim();
    return part === '' || known.endsWith(part) || known.startsWith(part) ? known : `${known} ${part}`.trim();
  }

  /** Passes the figures of a block, or those before, between or after blocks. */
  function pass(): void {
    const printed = [...units.values(), tableUnit].filter((unit) => unit !== '').join('\n');
    for (const figure of figures) {
      const { title = '', region = '', attribute = '', year = '', value, line } = figure;
      const row = { ...figure, number: String(number), units: printed };
      const text = `${title}, ${region} ${attribute}, ${year}: ${value}`;
      rows.push({ fields: COLUMNS.map((column) => row[column] ?? ''), line, text });
    }
    figures = [];
  }

  return { open, close };
}

/** A label on one line, without footnote marks ("2/", or "/2" in the middle). */
function printedLabel(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/\s(?:\d+\/|\/\d+)(?=\s|$)/g, '')
    .trim();
}

/** The tables that are imported, by the beginnings of their titles, and the items of their blocks from the top. */
const TABLES = readTable(`
  U.S. Wheat Supply and Use$ | Wheat
  U.S. Feed Grain and Corn Supply and Use | Feed grains; Corn
  U.S. Sorghum, Barley,? and Oats Supply and Use | Sorghum; Barley; Oats
  U.S. Rice Supply and Use | Rice
  U.S. Soybeans and Products Supply and Use | Soybeans; Soybean oil; Soybean meal
  U.S. Cotton Supply and Use | Cotton
  World Wheat Supply and Use | Wheat
  World Coarse Grain Supply and Use | Coarse grains
  World Corn Supply and Use | Corn
  World Rice Supply and Use | Rice, milled
  World Cotton Supply and Use | Cotton
  World Soybean Supply and Use | Soybeans
  World Soybean Meal Supply and Use | Soybean meal
  World Soybean Oil Supply and Use | Soybean oil
`).map(([title, items]) => ({
  title: new RegExp(`^${title!.replaceAll('.', '[.]')}`),
  isOfWorld: title!.startsWith('World'),
  items: listed(items).map(itemId),
}));

/** Finds an imported table by its title. */
export const findTable = (title: string) => TABLES.find((candidate) => candidate.title.test(title));

/**
 * Finds the item of a block, and whether its table covers the world; undefined for tables and blocks that are not
 * imported.
 */
export function findBlock({ title, number }: Readonly<Record<'title' | 'number', string>>) {
  const table = findTable(title);
  if (table === undefined || number === '0') return undefined;
  const { isOfWorld, items } = table;
  // Tables of the world have one block per year, all of the same item.
  const item = isOfWorld ? items[0] : items[Number(number) - 1];
  return item === undefined ? undefined : { isOfWorld, itemId: item };
}
