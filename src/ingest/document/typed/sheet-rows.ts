import { MAX_COLUMNS } from '../../../model/growth.js';
import { serialDateText } from '../../reading/dates.js';
import type { TextRecord } from '../../reading/delimited.js';
import type { InputText } from '../../reading/input-files.js';
import { readXml, type XmlVisitor } from '../../reading/xml.js';
import { typedFileError } from './typed-table.js';

interface CellContext {
  readonly strings: readonly string[];
  readonly styles: readonly NumberKind[];
  /** Whether dates are counted from 1904 rather than 1900. */
  readonly is1904: boolean;
  /** Whether programs must recalculate the workbook when they open it. If so, a stored 0 may be a placeholder. */
  readonly awaitsResults: boolean;
  readonly decimal: '.' | ',';
}

/** The text for a formula without a stored result. No cell can contain this character, because XML excludes it. */
export const NO_RESULT = '\uFFFF';

/** The maximum number of rows in a sheet, from Microsoft's "Excel specifications and limits". */
const MAX_ROWS = 1_048_576;
/** The maximum size of an XML part in bytes. It prevents an unclosed element from exhausting memory. */
export const MAX_PART_BYTES = 256_000_000;

/**
 * Streams the non-empty rows of a sheet, without trailing empty cells. `#N/A` is read as an empty cell.
 * @throws Error if the sheet is damaged or too large
 */
export async function* readSheetRows(part: InputText, context: CellContext): AsyncGenerator<TextRecord> {
  const rows: TextRecord[] = [];
  for await (const _ of readXml(part.chunks, rowVisitor(rows, context), MAX_PART_BYTES))
    yield* rows.splice(0);
}

function rowVisitor(rows: TextRecord[], context: CellContext): XmlVisitor {
  const texts = new TextCollector();
  let isInData = false;
  let [line, column] = [0, -1];
  let fields: string[] = [];
  let cell: Attributes = {};
  let hasFormula = false;

  function endCell(): void {
    const result = texts.take();
    const isStored = result !== null && (result !== '' || cell.t === 'str');
    const isWithout = hasFormula && (!isStored || (context.awaitsResults && result === '0'));
    const text = isWithout ? NO_RESULT : result === null ? '' : cellText(result, cell, context);
    // Tables are recognised from text with one line per row, so line breaks in cells become spaces.
    const line = text.replace(/\s*[\r\n]\s*/g, ' ').trim();
    if (line === '') return;
    while (fields.length < column) fields.push('');
    fields[column] = line;
  }

  return {
    text: (text) => texts.add(text),
    open(name, attributes) {
      if (name === 'sheetData') isInData = true;
      if (!isInData) return;
      texts.open(name);
      if (name === 'row') {
        line = nextRow(attributes.r, line);
        column = -1;
        fields = [];
      } else if (name === 'c') {
        column = nextColumn(attributes.r, column);
        cell = attributes;
        hasFormula = false;
        texts.take();
      } else if (name === 'f') hasFormula = true;
    },
    close(name) {
      if (!isInData) return;
      texts.close(name);
      if (name === 'sheetData') isInData = false;
      else if (name === 'c') endCell();
      else if (name === 'row' && fields.length > 0) rows.push({ fields, line });
    },
  };
}

type Attributes = Readonly<Record<string, string>>;

function nextRow(stated: string | undefined, last: number): number {
  const line = stated === undefined ? last + 1 : Number(stated);
  if (line > last && line <= MAX_ROWS) return line;
  throw new Error(
    `row ${stated ?? line} follows row ${last}; row numbers must be in ascending order and at most ${MAX_ROWS}`,
  );
}

/** Returns the column in a cell's address or, if the cell has no address, the next column. */
function nextColumn(address: string | undefined, last: number): number {
  const [letters = ''] = /^[A-Z]+/i.exec(address ?? '') ?? [];
  const column = address === undefined ? last + 1 : columnNumber(letters) - 1;
  if (column >= 0 && column < MAX_COLUMNS) return column;
  throw new Error(
    `the cell ${address ?? column} is outside the sheet, which can have at most ${MAX_COLUMNS} columns`,
  );
}

function columnNumber(letters: string): number {
  let number = 0;
  for (const letter of letters.toUpperCase()) number = number * 26 + letter.charCodeAt(0) - 64;
  return number;
}

export function cellAddress(line: number, column: number): string {
  let letters = '';
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  return letters + line;
}

/** Checks that no wanted cell looks empty because its formula has no stored result. @throws IngestError if one does */
export function checkResults(
  file: string,
  sheet: string,
  { fields, line }: TextRecord,
  isWanted: (column: number) => boolean,
): void {
  const column = fields.findIndex((text, at) => text.includes(NO_RESULT) && isWanted(at));
  if (column < 0) return;
  const cell = `the cell ${cellAddress(line, column)} of the sheet "${sheet}"`;
  const what = `has formulas without stored results, such as in ${cell}`;
  throw typedFileError(
    file,
    `${what}; open it in a spreadsheet program and save it again, or save it as CSV and import that file`,
  );
}

/** Returns a cell's text according to its type (ECMA-376, part 1, 18.18.11). Errors except `#N/A` are kept as text. */
function cellText(stored: string, { t: type = 'n', s: style = '0' }: Attributes, context: CellContext) {
  switch (type) {
    case 'n':
      return numberText(stored, context.styles[Number(style)] ?? 'number', context);
    case 's': {
      const text = context.strings[Number(stored)];
      if (text === undefined)
        throw new Error(
          `a cell refers to shared string ${stored}, but the workbook has only ${context.strings.length}`,
        );
      return text;
    }
    case 'b':
      return /^\s*(1|true)\s*$/.test(stored) ? 'true' : 'false';
    case 'd':
      return stored.replace(/T00:00(:00(\.0+)?)?Z?$/, '');
    case 'e':
      return stored === '#N/A' ? '' : stored;
    default:
      return unescapeText(stored);
  }
}

/** Formats a number, or the date or time that it represents, in the shortest form: `2020` for `2020.0`. */
function numberText(stored: string, kind: NumberKind, { is1904, decimal }: CellContext): string {
  const text = stored.trim();
  const number = Number(text);
  if (text === '' || Number.isNaN(number)) return text;
  const isTimeOfDay = kind === 'time' && number >= 0 && number < 1;
  const date = kind === 'number' ? null : serialDateText(isTimeOfDay ? number + 1 : number, is1904);
  if (date !== null) return isTimeOfDay ? date.slice(11, 19) || '00:00:00' : date;
  return (/^-?\d+$/.test(text) ? text : String(number)).replace('.', decimal);
}

/** Decodes escape sequences for characters that XML excludes, such as `_x000D_` (ECMA-376, part 1, 22.4.2.4). */
export function unescapeText(text: string): string {
  return text.replaceAll(/_x([0-9A-F]{4})_/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Collects the text of a cell or shared string, omitting phonetic guides. */
export class TextCollector {
  #text: string | null = null;
  #isOpen = false;
  #isPhonetic = false;

  open(name: string): void {
    if (name === 'rPh') this.#isPhonetic = true;
    this.#isOpen = (name === 'v' || name === 't') && !this.#isPhonetic;
    if (this.#isOpen) this.#text ??= '';
  }

  add(text: string): void {
    if (this.#isOpen) this.#text += text;
  }

  close(name: string): void {
    if (name === 'rPh') this.#isPhonetic = false;
    this.#isOpen = false;
  }

  /** Returns the collected text and clears it. Returns null if there was no text element. */
  take(): string | null {
    const text = this.#text;
    this.#text = null;
    return text;
  }
}

export type NumberKind = 'number' | 'date' | 'time';

/** The kinds of built-in formats, by id (ECMA-376, part 1, 18.8.30). Ids 27 to 36 and 50 to 58 vary by language. */
const BUILT_IN: readonly (readonly [first: number, last: number, kind: NumberKind])[] = [
  [14, 17, 'date'],
  [18, 21, 'time'],
  [22, 22, 'date'],
  [32, 33, 'time'],
  [27, 36, 'date'],
  [45, 45, 'time'],
  [47, 47, 'time'],
  [50, 58, 'date'],
];

export function builtInKind(id: number): NumberKind {
  return BUILT_IN.find(([first, last]) => id >= first && id <= last)?.[2] ?? 'number';
}

/** Matches the parts of a number format that are not codes: literal text, fill characters, colours and locales. */
const LITERAL = /"[^"]*"|[\\_*].|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi;

/** Returns the kind of a number format such as `dd/mm/yyyy`. Elapsed time, such as `[h]:mm`, counts as a number. */
export function kindOfCode(code: string): NumberKind {
  const [positive = ''] = code.replaceAll(LITERAL, '').split(';');
  if (/general|standard/i.test(positive) || /\[[hms]+\]/i.test(positive)) return 'number';
  if (/[yd]/i.test(positive) || (/m/i.test(positive) && !/[hs]/i.test(positive))) return 'date';
  return /[hs]/i.test(positive) ? 'time' : 'number';
}
