import { posix } from 'node:path';
import { IngestError } from '../../../model/errors.js';
import type { TextRecord } from '../../reading/delimited.js';
import { type InputText, zipEntries } from '../../reading/input-files.js';
import { readXml, type XmlVisitor } from '../../reading/xml.js';
import {
  builtInKind,
  kindOfCode,
  MAX_PART_BYTES,
  type NumberKind,
  readSheetRows,
  TextCollector,
  unescapeText,
} from './sheet-rows.js';
import { type TypedTable, typedFileError } from './typed-table.js';

/** Checks whether an archive is an .xlsx workbook. @throws IngestError if it is another kind of workbook */
export async function isWorkbook(file: string): Promise<boolean> {
  for (const found of await entryNames(file, (name) => name === WORKBOOK || OTHER_WORKBOOK.test(name))) {
    if (found === WORKBOOK) return true;
    throw typedFileError(file, 'is a workbook, but not in .xlsx format; save it as .xlsx or CSV');
  }
  return false;
}

/** Lists the wanted entries in an archive. Ignores damage, which is reported later, when an entry is read. */
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

/** Lists a workbook's sheets, including hidden ones. @throws IngestError if the file is damaged or too large */
export async function readSheets(file: string): Promise<readonly TypedTable[]> {
  try {
    const partOf = await findParts(file);
    const { sheets, ...book } = await readBook(partOf);
    return sheets.map(({ name, path }) => {
      const part = partOf(path);
      return {
        name,
        rows: ({ decimal, signal }) => sheetRows(file, readSheetRows(part, { ...book, decimal }), signal),
      };
    });
  } catch (cause) {
    throw workbookError(file, cause);
  }
}

async function* sheetRows(file: string, rows: AsyncGenerator<TextRecord>, signal: AbortSignal | undefined) {
  try {
    for await (const row of rows) {
      signal?.throwIfAborted();
      yield row;
    }
  } catch (cause) {
    throw signal?.aborted ? signal.reason : workbookError(file, cause);
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
    // `xf` elements occur in several lists, whose names end in "s".
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
