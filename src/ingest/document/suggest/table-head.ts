import { splitRecords, type TextRecord } from '../../reading/delimited.js';
import { describeFirstLine, firstLine, openInput, readBeginning } from '../../reading/input-files.js';
import { checkResults } from '../typed/sheet-rows.js';
import { openTypedFile } from '../typed/typed-file.js';
import { ALL_COLUMNS, type TypedTable, typedFileError } from '../typed/typed-table.js';

const MAX_LENGTH = 262_144;
const MAX_ROWS = 2_000;
const DELIMITERS = [',', ';', '\t', '|'];

/** Reads a table's beginning. Returns `undefined` if it has only one column. @throws IngestError that names the file */
export async function readTableHead(file: string) {
  const typed = await openTypedFile(file);
  if (typed !== null) return findTypedTable(file, await typed.tables());
  const text = await readFirstLines(file);
  if (!text.includes('\0')) return findTable(text);
  throw typedFileError(file, `is not a table: ${describeFirstLine(firstLine(text))}`);
}

/** The minimum ratio of a header's filled cells to the filled cells of the fullest row. Titles fill fewer cells. */
const MIN_HEADER = 0.6;

function headerPosition(counts: readonly number[]): number {
  const widest = counts.reduce((most, count) => Math.max(most, count), 0);
  return counts.findIndex((count) => count >= Math.max(2, MIN_HEADER * widest));
}

/** Finds the table in the sheet with the most rows, skipping any title lines. Omits columns without a name. */
async function findTypedTable(file: string, typed: readonly TypedTable[]) {
  const tables: { name: string; records: TextRecord[] }[] = [];
  for (const { name, columns, rows } of typed) {
    const records: TextRecord[] = columns === undefined ? [] : [{ fields: columns, line: 1 }];
    for await (const record of rows({ ...ALL_COLUMNS, rows: MAX_ROWS })) {
      checkResults(file, name, record, () => true);
      if (countFilled(record.fields) > 1 && records.push(record) > MAX_ROWS) break;
    }
    if (records.length > 0) tables.push({ name, records });
  }
  const [table, ...others] = tables.sort((a, b) => b.records.length - a.records.length);
  if (table === undefined) return undefined;
  const { name, records } = table;
  const first = headerPosition(records.map(({ fields }) => countFilled(fields)));
  const { fields, line } = records[first]!;
  const columns = fields.flatMap((text, at) => (text === '' ? [] : [at]));
  const pick = (row: TextRecord): string[] => columns.map((at) => row.fields[at] ?? '');
  return {
    delimiter: undefined,
    headerLine: line,
    sheet: others.length > 0 ? name : undefined,
    otherSheets: others.map((one) => one.name),
    header: pick({ fields, line }),
    rows: records.slice(first + 1).map(pick),
  };
}

const countFilled = (cells: readonly string[]): number => cells.filter((text) => text.trim() !== '').length;

async function readFirstLines(file: string): Promise<string> {
  for await (const { chunks } of openInput(file, { dataset: 'table' })) {
    const text = await readBeginning(chunks);
    return text.slice(0, text.lastIndexOf('\n', MAX_LENGTH) + 1 || undefined);
  }
  return '';
}

function findTable(text: string) {
  const tables = DELIMITERS.map((delimiter) => {
    const rows = [...splitRecords(text, 1, { delimiter, quotes: true })];
    const width = commonWidth(rows);
    const table = rows.filter(({ fields }) => fields.length === width);
    return { delimiter, width, table, share: table.length / rows.length };
  });
  const [best] = tables.filter(({ width }) => width > 1).sort((a, b) => b.share - a.share);
  if (best === undefined) return undefined;
  // Spreadsheets pad title lines with delimiters, so a title line may have as many fields as the table.
  const first = Math.max(0, headerPosition(best.table.map(({ fields }) => countFilled(fields))));
  const { fields, line } = best.table[first]!;
  const header = fields.map((name) => name.trim());
  const rows = best.table.slice(first + 1, first + 1 + MAX_ROWS).map((row) => row.fields);
  return { delimiter: best.delimiter, headerLine: line, sheet: undefined, otherSheets: [], header, rows };
}

function commonWidth(rows: readonly TextRecord[]): number {
  const counts = new Map<number, number>();
  for (const { fields } of rows) counts.set(fields.length, (counts.get(fields.length) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? 0;
}
