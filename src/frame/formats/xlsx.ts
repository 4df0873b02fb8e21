import { DataType, type Table } from 'apache-arrow';
import { isValid } from '../../columns/bitmap.js';
import { badArgument } from '../../model/errors.js';
import { loadOptional } from '../../model/load-optional.js';
import type { Provenance } from '../../model/provenance.js';
import { SERIES_KEY_FIELDS } from '../../model/series.js';
import { DAY_MS, utcDay } from '../../model/time.js';
import { cellText, dayText, isNested, timeText } from '../table/cells.js';
import { type AnyColumn, readColumns } from '../table/columns.js';
import { derivationSteps, readProvenance } from '../table/provenance.js';
import { decimalValue, readAs } from '../table/row-reader.js';

type WriteExcelFile = (
  sheets: readonly {
    readonly sheet: string;
    readonly data: readonly (readonly Cell[])[];
    readonly stickyRowsCount?: number | undefined;
  }[],
) => { toBuffer(): Promise<Uint8Array> };

// These limits are from Microsoft's "Excel specifications and limits".
const MAX_ROWS = 1_048_576;
const MAX_COLUMNS = 16_384;
/** The maximum number of cells. write-excel-file keeps the whole workbook in memory, at about 400 bytes per cell. */
const MAX_CELLS = 2_000_000;

/**
 * Returns a workbook with the sheets `Data` (dates in UTC, empty cells for nulls) and `About` (sources, units, report).
 * @throws ArgumentError if the frame is too large for a workbook, or if write-excel-file is not installed
 */
export async function toXlsx(table: Table): Promise<Uint8Array> {
  checkSize(table);
  const write = loadXlsxWriter();
  const columns = readColumns(table).map(({ field, column }) => cellReader(column, field.name));
  const rows = Array.from({ length: table.numRows }, (_, row) => columns.map((cell) => cell(row)));
  const names = table.schema.fields.map(({ name }) => heading(name));
  return write([
    { sheet: 'Data', data: [names, ...rows], stickyRowsCount: 1 },
    { sheet: 'About', data: aboutSheet(table) },
  ]).toBuffer();
}

export function loadXlsxWriter(): WriteExcelFile {
  const write = loadOptional('write-excel-file/node');
  if (write !== undefined) return write as WriteExcelFile;
  throw badArgument(
    'format',
    '.xlsx needs the package write-excel-file, which is not installed; run npm install write-excel-file@4',
  );
}

export function checkSize({ numRows, numCols }: Pick<Table, 'numRows' | 'numCols'>): void {
  refuseAbove(MAX_ROWS - 1, numRows, 'rows below the header');
  refuseAbove(MAX_COLUMNS, numCols, 'columns');
  refuseAbove(MAX_CELLS, numRows * numCols, 'cells');
}

function refuseAbove(max: number, count: number, what: string): void {
  if (count <= max) return;
  const [given, limit] = [count, max].map((number) => number.toLocaleString('en-US'));
  throw badArgument(
    'table',
    `.xlsx is limited to ${limit} ${what}, but the frame has ${given}; write .parquet or .csv, or fewer rows`,
  );
}

export function aboutSheet(table: Table): Cell[][] {
  const provenance = readProvenance(table);
  return [
    ...(provenance === null
      ? [['This frame does not say where its figures come from.']]
      : provenanceRows(provenance)),
    ...section(
      'Computed by',
      derivationSteps(table).map((step) => ({ step })),
    ),
  ];
}

function provenanceRows({ retrieved_at, api_host, sources, units, report }: Provenance): Cell[][] {
  const ofSources = sources.map((one) => {
    const { id, name, longName, licence, citation, url } = one;
    return { id, name, longName, licence, citation, url };
  });
  const ofUnits = units.map(({ id, name, abbreviation }) => ({ id, name, abbreviation }));
  const ofSeries = report.map(({ series, rows, outcome, reason, truncated, from_cache }) => {
    const key = SERIES_KEY_FIELDS.map((field) => [field, series[field] ?? null]);
    return { ...Object.fromEntries(key), rows, outcome, reason, truncated, from_cache };
  });
  return [
    [heading('Retrieved at'), retrieved_at],
    [heading('Service'), api_host ?? null],
    ...section('Sources', ofSources),
    ...section('Units', ofUnits),
    ...section('Report', ofSeries),
  ];
}

function section(title: string, rows: readonly Readonly<Record<string, Cell>>[]): Cell[][] {
  const [first] = rows;
  if (first === undefined) return [];
  return [[], [heading(title)], Object.keys(first).map(heading), ...rows.map((row) => Object.values(row))];
}

/** A cell in the form that write-excel-file accepts. Null stands for an empty cell. */
export type Cell =
  | string
  | number
  | boolean
  | null
  | { readonly value: Date; readonly type: DateConstructor; readonly format: string }
  | { readonly value: string; readonly fontWeight: 'bold' };

const MAX_CHARACTERS = 32_767;

// Excel treats 1900 as a leap year, and has no dates after 9999.
const [FIRST_DATE_MS, END_OF_DATES_MS] = [utcDay(1900, 3, 1), utcDay(10_000, 1, 1)];

/**
 * Returns a function that reads a row's value as an Excel cell. 64-bit integers and decimals with more than 15 digits
 * become strings, because Excel cannot represent them exactly.
 */
export function cellReader(column: AnyColumn, name: string): (row: number) => Cell {
  if (column.type === 'other' && isNested(column.values.type))
    throw badArgument(
      'table',
      `column "${name}" is ${column.values.type}, which an .xlsx cell cannot represent; write .parquet, .arrow or .json, or omit the column with select`,
    );
  const isDecimal = column.type === 'other' && DataType.isDecimal(column.values.type);
  const hasTimes =
    column.type === 'timestamp' &&
    column.values.some((time, row) => isValid(column.valid, row) && Number(time) % DAY_MS !== 0);
  return readAs<Cell>(column, {
    none: null,
    time: (ms) => dateCell(ms, hasTimes),
    number: numberCell,
    text: (text) => textCell(text, name),
    other(cell) {
      if (typeof cell === 'boolean') return cell;
      if (typeof cell === 'number') return numberCell(cell);
      const number = typeof cell === 'bigint' || isDecimal ? decimalValue(String(cell)) : null;
      return typeof number === 'number' ? number : textCell(cellText(cell), name);
    },
  });
}

function dateCell(ms: bigint, hasTimes: boolean): Cell {
  if (ms < FIRST_DATE_MS || ms >= END_OF_DATES_MS) return hasTimes ? timeText(ms) : dayText(ms);
  return { value: new Date(Number(ms)), type: Date, format: hasTimes ? 'yyyy-mm-dd hh:mm:ss' : 'yyyy-mm-dd' };
}

/** Converts a number to a cell. Infinity and NaN, which Excel lacks, become strings rather than empty cells. */
function numberCell(value: number): Cell {
  return Number.isFinite(value) ? value : String(value);
}

function textCell(text: string, name: string): Cell {
  if (text.length <= MAX_CHARACTERS) return text;
  throw badArgument(
    'table',
    `column "${name}" contains a string of ${text.length} characters, but an .xlsx cell holds at most ${MAX_CHARACTERS}; write .parquet or .csv`,
  );
}

export function heading(text: string): Cell {
  return { value: text, fontWeight: 'bold' };
}
