import { basename } from 'node:path';
import { IngestError } from '../../../model/errors.js';
import type { TypedRows } from './typed-table.js';
import { checkWorkbook } from './workbook-bounds.js';

export interface SheetOptions {
  /** The data set in messages. */
  readonly dataset: string;
  /** The name of the sheet; null for the only one that is not empty. */
  readonly sheet: string | null;
  /** The number of the header's row. */
  readonly headerLine: number;
  readonly decimal: '.' | ',';
}

interface Sheet {
  readonly sheet: string;
  readonly data: readonly (readonly unknown[])[];
}

/**
 * Reads one sheet: texts without spaces around them, numbers with all digits and `decimal`, dates as `YYYY-MM-DD`, empty
 * strings for empty cells and errors. Rows without any text are left out.
 * @throws IngestError that names the file when it is damaged or too large, or the sheet is not clear
 */
export async function* readSheetRows(file: string, options: SheetOptions): AsyncGenerator<TypedRows> {
  const { sheet: name, headerLine, decimal } = options;
  const error = (what: string, cause?: unknown): IngestError =>
    new IngestError(options.dataset, `${basename(file)} ${what}`, { file: basename(file), cause });
  const { data } = chooseSheet(await readSheets(file, decimal, error), name, error);
  const texts = data.map((row) => row.map(cellText));
  const header = texts[headerLine - 1];
  if (header === undefined) throw error(`has no row ${headerLine} for the header`);
  const lines = texts.map((_, i) => i + 1).filter((line) => line > headerLine && !isEmpty(texts[line - 1]!));
  yield { header, names: header, rows: lines.map((line) => texts[line - 1]!), lines, total: lines.length };
}

type ErrorOf = (what: string, cause?: unknown) => IngestError;

async function readSheets(file: string, decimal: string, error: ErrorOf): Promise<readonly Sheet[]> {
  try {
    await checkWorkbook(file);
    const { default: readWorkbook } = await import('read-excel-file/node');
    const parseNumber = (text: string): string => text.replace('.', decimal);
    return await readWorkbook(file, { parseNumber });
  } catch (cause) {
    throw error(`cannot be read as a workbook: ${cause instanceof Error ? cause.message : cause}`, cause);
  }
}

function chooseSheet(sheets: readonly Sheet[], name: string | null, error: ErrorOf): Sheet {
  const filled = sheets.filter(({ data }) => data.some((row) => row.some((cell) => cell !== null)));
  const [only, ...others] = name === null ? filled : sheets.filter(({ sheet }) => sheet === name);
  if (only !== undefined && others.length === 0) return only;
  const names = sheets.map(({ sheet }) => `"${sheet}"`).join(', ');
  if (name !== null) throw error(`has no sheet "${name}"; its sheets are ${names}`);
  if (only === undefined) throw error('has no sheet with cells');
  throw error(
    `has several sheets: ${names}; say in the mapping which to read ("sheet": ${names.split(', ')[0]})`,
  );
}

function cellText(cell: unknown): string {
  if (cell instanceof Date) return cell.toISOString().replace(/T00:00:00\.000Z$/, '');
  return cell === null || cell === undefined ? '' : String(cell);
}

const isEmpty = (row: readonly string[]): boolean => row.every((text) => text === '');
