import { SaxesParser } from 'saxes';
import { DamagedTextError } from '../reading/delimited.js';
import { itemId } from '../vocabulary/items.js';

/** One figure of a table, with the labels of its row and columns as printed, without footnote marks. */
export interface WasdeCell {
  readonly attribute: string;
  /** `2026/27 Proj.` */
  readonly year: string;
  /** In columns of projections, the month of the estimate; otherwise empty. */
  readonly month: string;
  /** Empty in tables of a single country. */
  readonly region: string;
  readonly value: string;
  /** Line in the file, counted from 1. */
  readonly line: number;
}

/** One block of a table: all figures of one commodity. */
export interface WasdeMatrix {
  /** `U.S. Feed Grain and Corn Supply and Use` */
  readonly title: string;
  /** `Million Metric Tons`, when the whole table has one unit. */
  readonly subtitle: string;
  /** `June 2026` */
  readonly reportMonth: string;
  /** Position in the table, counted from 1; 0 for figures outside its blocks. */
  readonly number: number;
  /** First line in the file, counted from 1. */
  readonly line: number;
  /** Units printed in the block, from the top, or once for the blocks of the table. */
  readonly units: readonly string[];
  /** The notes below the table. */
  readonly footer: string;
  readonly cells: readonly WasdeCell[];
}

interface Context {
  readonly title: string;
  readonly subtitle: string;
  readonly footer: string;
  readonly reportMonth: string;
  readonly attribute: string;
  readonly year: string;
  readonly month: string;
  readonly region: string;
}

/** XML attributes that hold labels; their numbers differ between tables. */
const LABELS: readonly (readonly [RegExp, keyof Context])[] = [
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

/** Reports have about twenty levels of elements. */
const MAX_DEPTH = 200;
/** A block has about a thousand figures. */
const MAX_CELLS = 100_000;
/** The parser keeps the text between two elements, a few thousand characters in reports. */
const MAX_BETWEEN_ELEMENTS = 1_000_000;
const SLICE = 65_536;

/**
 * The blocks of a monthly report in XML, each when it has ended. Its memory is bounded for any text.
 * @throws DamagedTextError when the text is not well-formed XML, or has parts that no report has
 */
export async function* readMatrices(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<WasdeMatrix> {
  const decoder = new TextDecoder('utf-8');
  const read: WasdeMatrix[] = [];
  const reader = new MatrixReader((matrix) => read.push(matrix));
  for await (const chunk of chunks) {
    reader.write(decoder.decode(chunk, { stream: true }));
    yield* read.splice(0);
  }
  reader.close(decoder.decode());
  yield* read;
}

class MatrixReader {
  readonly #parser = new SaxesParser({ xmlns: false });
  readonly #contexts: Context[] = [
    { title: '', subtitle: '', footer: '', reportMonth: '', attribute: '', year: '', month: '', region: '' },
  ];
  /** Of the block; 0 outside of blocks. */
  #number = 0;
  #line = 1;
  #cells: WasdeCell[] = [];
  #units = new Map<string, string>();
  #tableUnit = '';
  /** Characters since the last element began or ended. */
  #sinceElement = 0;

  readonly #onMatrix: (matrix: WasdeMatrix) => void;

  constructor(onMatrix: (matrix: WasdeMatrix) => void) {
    this.#onMatrix = onMatrix;
    this.#parser.on('error', (error) => {
      throw this.#damaged(`not well-formed XML: ${error.message}`);
    });
    this.#parser.on('doctype', () => {
      throw this.#damaged('a document type is declared, which reports do not have');
    });
    this.#parser.on('opentag', ({ name, attributes }) => this.#open(name, attributes));
    this.#parser.on('closetag', ({ name }) => this.#close(name));
  }

  write(text: string): void {
    for (let at = 0; at < text.length; at += SLICE) {
      const slice = text.slice(at, at + SLICE);
      this.#sinceElement += slice.length;
      this.#parser.write(slice);
      if (this.#sinceElement > MAX_BETWEEN_ELEMENTS) {
        throw this.#damaged('a million characters without an element, which reports do not have');
      }
    }
  }

  close(rest: string): void {
    this.write(rest);
    this.#parser.close();
  }

  #damaged(what: string): DamagedTextError {
    return new DamagedTextError(this.#parser.line, what);
  }

  #open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#sinceElement = 0;
    if (attributes.sub_report_title !== undefined) this.#tableUnit = '';
    const matrix = MATRIX.exec(name);
    if (matrix !== null) {
      this.#pass(this.#contexts.at(-1)!);
      this.#number = Number(matrix[1]);
      this.#line = this.#parser.line;
      this.#units = new Map();
    }
    const context = { ...this.#contexts.at(-1)! };
    for (const [attribute, text] of Object.entries(attributes)) {
      const label = LABELS.find(([pattern]) => pattern.test(attribute));
      if (label !== undefined) context[label[1]] = printedLabel(text);
      else if (UNIT.test(attribute)) this.#units.set(attribute, this.#joinUnit(attribute, text));
      else if (TABLE_UNIT.test(attribute)) this.#tableUnit ||= text.trim();
      else if (VALUE.test(attribute)) this.#addCell(context, text.trim());
    }
    this.#contexts.push(context);
    if (this.#contexts.length > MAX_DEPTH)
      throw this.#damaged(`elements are nested more than ${MAX_DEPTH} deep`);
  }

  #addCell({ attribute, year, month, region }: Context, value: string): void {
    if (this.#cells.length >= MAX_CELLS) throw this.#damaged(`a block has more than ${MAX_CELLS} figures`);
    this.#cells.push({ attribute, year, month, region, value, line: this.#parser.line });
  }

  /** A unit may be split across columns ("Thousand Short", " Tons"), and each group of attributes repeats it. */
  #joinUnit(attribute: string, text: string): string {
    const known = this.#units.get(attribute) ?? '';
    const part = text.trim();
    return part === '' || known.endsWith(part) || known.startsWith(part) ? known : `${known} ${part}`.trim();
  }

  #close(name: string): void {
    this.#sinceElement = 0;
    const context = this.#contexts.pop()!;
    const isMatrix = MATRIX.test(name);
    if (isMatrix || this.#number === 0) this.#pass(context);
    if (isMatrix) this.#number = 0;
  }

  /** Passes the figures of a block, or those before, between or after blocks, if there are any. */
  #pass({ title, subtitle, footer, reportMonth }: Context): void {
    if (this.#cells.length === 0) return;
    const units = [...this.#units.values(), this.#tableUnit].filter((unit) => unit !== '');
    const [number, line, cells] = [this.#number, this.#line, this.#cells];
    this.#onMatrix({ title, subtitle, reportMonth, number, line, units, footer, cells });
    this.#cells = [];
  }
}

/** A label on one line, without footnote marks ("2/", or "/2" in the middle). */
function printedLabel(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/\s(?:\d+\/|\/\d+)(?=\s|$)/g, '')
    .trim();
}

/** A kind of table that is imported; `items` are those of its blocks, from the top. */
interface TableKind {
  readonly title: RegExp;
  readonly scope: 'united-states' | 'world';
  readonly items: readonly number[];
}

const US = 'united-states' as const;

const TABLES: readonly TableKind[] = [
  usTable('Wheat Supply and Use$', ['Wheat']),
  usTable('Feed Grain and Corn Supply and Use', ['Feed grains', 'Corn']),
  usTable('Sorghum, Barley,? and Oats Supply and Use', ['Sorghum', 'Barley', 'Oats']),
  usTable('Rice Supply and Use', ['Rice']),
  usTable('Soybeans and Products Supply and Use', ['Soybeans', 'Soybean oil', 'Soybean meal']),
  usTable('Cotton Supply and Use', ['Cotton']),
  ...[
    ['Wheat', 'Wheat'],
    ['Coarse Grain', 'Coarse grains'],
    ['Corn', 'Corn'],
    ['Rice', 'Rice'],
    ['Cotton', 'Cotton'],
    ['Soybean', 'Soybeans'],
    ['Soybean Meal', 'Soybean meal'],
    ['Soybean Oil', 'Soybean oil'],
  ].map(([printed, item]) => ({
    title: new RegExp(`^World ${printed} Supply and Use`),
    scope: 'world' as const,
    items: [itemId(item!)],
  })),
];

function usTable(title: string, items: readonly string[]): TableKind {
  return { title: new RegExp(`^U\\.S\\. ${title}`), scope: US, items: items.map(itemId) };
}

/** The scope and the item of a table's block; undefined for tables and blocks that are not imported. */
export function findBlock(
  title: string,
  number: number,
): { readonly scope: TableKind['scope']; readonly itemId: number } | undefined {
  const table = TABLES.find((candidate) => candidate.title.test(title));
  if (table === undefined || number === 0) return undefined;
  // Tables of the world have one block per year, all of the same item.
  const item = table.scope === 'world' ? table.items[0] : table.items[number - 1];
  return item === undefined ? undefined : { scope: table.scope, itemId: item };
}
