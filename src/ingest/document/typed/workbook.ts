import { posix } from 'node:path';
import { IngestError } from '../../../model/errors.js';
import { joinHeaders } from '../../reading/columns.js';
import { type InputText, zipEntries } from '../../reading/input-files.js';
import { rowText } from '../../reading/text-rows.js';
import { readXml, type XmlVisitor } from '../../reading/xml.js';
import { type TypedTable, type TypedTableOptions, typedFileError } from './parquet.js';
import {
  builtInKind,
  cellAddress,
  kindOfCode,
  MAX_PART_BYTES,
  type NumberKind,
  readSheetRows,
  type SheetRow,
  TextCollector,
  unescapeText,
} from './sheet-rows.js';

export interface Sheet {
  readonly name: string;
  /** Streams the rows from the first one. @throws IngestError that names the file if it is damaged or too large */
  readonly rows: () => AsyncGenerator<SheetRow>;
}

/** Opens a sheet as a table. @throws IngestError that states the fault, the sheets, or a formula without a result */
export async function openSheet(file: string, options: TypedTableOptions): Promise<TypedTable> {
  const { sheet: wanted, header_line: place = 1, header_rows = 1, decimal, wantsColumn, signal } = options;
  const sheet = await chooseSheet(file, await readSheets(file, decimal), wanted);
  const found = await headerOf(sheet, place, header_rows);
  if (found === undefined) {
    const line = typeof place === 'number' ? place : `that matches ${place.source}`;
    throw typedFileError(file, `has no row ${line} for the header`);
  }
  const { rows, preamble } = found;
  for (const row of rows) checkResults(file, sheet, row, () => true);
  const header = joinHeaders(rows.map(({ cells }) => cells));
  const lastLine = rows.at(-1)!.line;
  let outside: string | undefined;
  async function* records() {
    for await (const row of sheet.rows()) {
      signal?.throwIfAborted();
      if (row.line <= lastLine) continue;
      checkResults(file, sheet, row, (at) => wantsColumn(header[at] ?? ''));
      if (row.cells.length > header.length) outside ??= cellAddress(row.line, row.cells.length - 1);
      const fields = header.map((_, at) => row.cells[at] ?? '');
      if (fields.some((text) => text !== '')) yield { fields, line: row.line };
    }
  }
  const note = () => outside && `cells to the right of the header, such as ${outside}, are not read`;
  return { header, preamble, unread: [], records, note };
}

/** Finds the rows of a sheet's header by line number or pattern. */
async function headerOf({ rows }: Sheet, place: number | RegExp, count: number) {
  const found: SheetRow[] = [];
  let preamble = '';
  for await (const row of rows()) {
    const isFirst = typeof place === 'number' ? row.line >= place : place.test(row.cells.join());
    if (found.length === 0 && !isFirst) {
      preamble += `${row.cells.join()}\n`;
      continue;
    }
    if (found.length === 0 && typeof place === 'number' && row.line !== place) return undefined;
    if (found.length > 0 && row.line !== found[0]!.line + found.length) return { rows: found, preamble };
    found.push(row);
    if (found.length === count) return { rows: found, preamble };
  }
  return undefined;
}

const BEGINNING_ROWS = 100;

/** Returns the first rows of each sheet as delimited text, from which data sets are recognised. */
export async function sheetBeginnings(file: string): Promise<string[]> {
  const texts: string[] = [];
  for (const { rows } of await readSheets(file, '.')) {
    const lines: string[] = [];
    for await (const { line, cells } of rows()) {
      if (line > BEGINNING_ROWS) break;
      lines[line - 1] = rowText({ fields: cells, line }, { delimiter: ',' });
    }
    texts.push(Array.from(lines, (text = '') => text).join('\n'));
  }
  return texts;
}

/** Rejects a file with formulas that have no stored results, because their cells would be read as empty. */
export function checkResults(
  file: string,
  { name }: Pick<Sheet, 'name'>,
  { line, withoutResult }: SheetRow,
  isWanted: (column: number) => boolean,
): void {
  const column = withoutResult.find(isWanted);
  if (column === undefined) return;
  const cell = `the cell ${cellAddress(line, column)} of the sheet "${name}"`;
  const what = `has formulas without stored results, such as in ${cell}`;
  throw typedFileError(
    file,
    `${what}; open it in a spreadsheet program and save it again, or save it as CSV and import that file`,
  );
}

async function chooseSheet(file: string, sheets: readonly Sheet[], wanted?: string): Promise<Sheet> {
  const chosen: Sheet[] = [];
  for (const sheet of sheets)
    if (wanted === undefined ? await hasRows(sheet) : sheet.name === wanted) chosen.push(sheet);
  const [only, ...others] = chosen;
  if (only !== undefined && others.length === 0) return only;
  const names = sheets.map(({ name }) => `"${name}"`).join(', ');
  if (wanted !== undefined) throw typedFileError(file, `has no sheet "${wanted}"; its sheets are ${names}`);
  if (only === undefined) throw typedFileError(file, 'has no sheet with cells');
  const remedy = `specify the one to read in the document ("sheet": ${names.split(', ')[0]})`;
  throw typedFileError(file, `has several sheets: ${names}; ${remedy}`);
}

async function hasRows({ rows }: Sheet): Promise<boolean> {
  for await (const _ of rows()) return true;
  return false;
}

/** Checks whether an archive is an .xlsx workbook. @throws IngestError if it is another kind of workbook */
export async function isWorkbook(file: string): Promise<boolean> {
  for (const found of await entryNames(file, (name) => name === WORKBOOK || OTHER_WORKBOOK.test(name))) {
    if (found === WORKBOOK) return true;
    throw typedFileError(file, 'is a workbook, but not in .xlsx format; save it as .xlsx or CSV');
  }
  return false;
}

/** Lists an archive's wanted entries; none if it is damaged, which is reported later, when an entry is read. */
async function entryNames(file: string, wants: (name: string) => boolean): Promise<readonly string[]> {
  const names: string[] = [];
  try {
    for await (const { name } of zipEntries(file, wants)) names.push(name);
  } catch {}
  return names;
}

/** Matches the archive entry that identifies an .xlsb, .ods or .numbers file. */
const OTHER_WORKBOOK = /^(xl\/workbook\.bin|mimetype|Index\/Document\.iwa)$/;
const WORKBOOK = 'xl/workbook.xml';
const PART = /\.xml(\.rels)?$/i;
const MAX_BYTES = 512_000_000;
/** The maximum size, in bytes, of each XML part that lists a workbook's sheets or styles. */
const MAX_LIST_BYTES = 16_000_000;
const MAX_STRINGS = 16_000_000;

/** Lists a workbook's sheets, hidden ones too. @throws IngestError that names the file if it is damaged or too large */
export async function readSheets(file: string, decimal: '.' | ','): Promise<readonly Sheet[]> {
  try {
    const partOf = await findParts(file);
    const { sheets, ...book } = await readBook(partOf);
    const context = { ...book, decimal };
    return sheets.map(({ name, path }) => {
      const part = partOf(path);
      return { name, rows: () => namedRows(file, readSheetRows(part, context)) };
    });
  } catch (cause) {
    throw workbookError(file, cause);
  }
}

async function* namedRows(file: string, rows: AsyncGenerator<SheetRow>): AsyncGenerator<SheetRow> {
  try {
    yield* rows;
  } catch (cause) {
    throw workbookError(file, cause);
  }
}

function workbookError(file: string, cause: unknown): IngestError {
  if (cause instanceof IngestError) return cause;
  const { message } = cause instanceof Error ? cause : new Error(String(cause));
  return typedFileError(file, `cannot be read as a workbook: ${message}`, cause);
}

/** Returns a function that finds a part of a workbook by its path, ignoring case. */
async function findParts(file: string): Promise<(path: string) => InputText> {
  const parts = new Map<string, InputText>();
  let total = 0;
  for await (const part of zipEntries(file, (name) => PART.test(name))) {
    parts.set(part.name.toLowerCase(), part);
    total += part.bytes;
    if (total > MAX_BYTES)
      throw new Error(`it has more than ${MAX_BYTES / 1_000_000} MB of XML; save the sheet as CSV`);
  }
  return (path) => {
    const part = parts.get(path.toLowerCase());
    if (part === undefined) throw new Error(`it has no part ${path}`);
    return part;
  };
}

async function readBook(partOf: (path: string) => InputText) {
  const relations: { id: string | undefined; type: string; path: string }[] = [];
  await readList(
    partOf('xl/_rels/workbook.xml.rels'),
    (_, { Id: id, Type: type = '', Target: target = '' }) => {
      // Only the last part of a type's URI is compared, because the rest differs in the strict variant of the format.
      relations.push({ id, type: posix.basename(type), path: posix.resolve('/xl', target).slice(1) });
    },
  );
  const sheets: { name: string; path: string }[] = [];
  let [is1904, awaitsResults] = [false, false];
  await readList(partOf(WORKBOOK), (name, attributes) => {
    if (name === 'workbookPr') is1904 = isTrue(attributes.date1904);
    if (name === 'calcPr') awaitsResults = isTrue(attributes.fullCalcOnLoad);
    if (name !== 'sheet') return;
    const [, id] = Object.entries(attributes).find(([key]) => /(^|:)id$/.test(key)) ?? [];
    const relation = relations.find((one) => one.id === id);
    if (relation?.type === 'worksheet') sheets.push({ name: attributes.name ?? '', path: relation.path });
  });
  const pathOf = (wanted: string) => relations.find(({ type }) => type === wanted)?.path;
  const [strings, styles] = [pathOf('sharedStrings'), pathOf('styles')];
  return {
    sheets,
    is1904,
    awaitsResults,
    strings: strings === undefined ? [] : await readStrings(partOf(strings)),
    styles: styles === undefined ? [] : await readStyles(partOf(styles)),
  };
}

const isTrue = (flag: string | undefined): boolean => flag === '1' || flag === 'true';

async function readStyles(part: InputText): Promise<readonly NumberKind[]> {
  const kinds = new Map<number, NumberKind>();
  const styles: NumberKind[] = [];
  let isOfCells = false;
  await readList(part, (name, { numFmtId, formatCode }) => {
    // Several lists contain `xf` elements. An element is a list if its name ends in "s".
    if (name.endsWith('s')) isOfCells = name === 'cellXfs';
    if (name === 'numFmt') kinds.set(Number(numFmtId), kindOfCode(formatCode ?? ''));
    if (name === 'xf' && isOfCells) {
      const id = Number(numFmtId ?? 0);
      styles.push(kinds.get(id) ?? builtInKind(id));
    }
  });
  return styles;
}

async function readStrings(part: InputText): Promise<readonly string[]> {
  const strings: string[] = [];
  const texts = new TextCollector();
  const visitor: XmlVisitor = {
    open: (name) => texts.open(name),
    text: (text) => texts.add(text),
    close(name) {
      texts.close(name);
      if (name === 'si' && strings.push(unescapeText(texts.take() ?? '')) > MAX_STRINGS)
        throw new Error('it has too many shared strings; save the sheet as CSV');
    },
  };
  for await (const _ of readXml(part.chunks, visitor, MAX_PART_BYTES));
  return strings;
}

async function readList(part: InputText, open: XmlVisitor['open']): Promise<void> {
  for await (const _ of readXml(part.chunks, { open, close() {} }, MAX_LIST_BYTES));
}
