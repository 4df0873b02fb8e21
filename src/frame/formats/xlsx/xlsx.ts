import type { Table } from 'apache-arrow';
import { ArgumentError } from '../../../model/errors.js';
import { readColumns } from '../../table/columns.js';
import { loadOptional } from '../optional-package.js';
import { aboutSheet } from './about.js';
import { type Cell, cellReader, heading } from './cells.js';

/** What is used of write-excel-file. */
type WriteExcelFile = (
  sheets: readonly {
    readonly sheet: string;
    readonly data: readonly (readonly Cell[])[];
    readonly stickyRowsCount?: number | undefined;
  }[],
) => { toBuffer(): Promise<Uint8Array> };

/** Rows and columns of a sheet, by Microsoft's "Excel specifications and limits". */
const MAX_ROWS = 1_048_576;
const MAX_COLUMNS = 16_384;
/** The library holds a whole workbook in memory, about 400 bytes a cell. */
const MAX_CELLS = 2_000_000;

/**
 * A frame as an Excel workbook: the sheet `Data`, with dates as dates in UTC and null as an empty cell, and the sheet
 * `About`, with its sources, units and report.
 * @throws ArgumentError when the frame is larger than a workbook takes, or write-excel-file is not installed
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

/** The library. @throws ArgumentError when it is not installed */
export function loadXlsxWriter(): WriteExcelFile {
  const write = loadOptional('write-excel-file/node');
  if (write !== undefined) return write as WriteExcelFile;
  throw new ArgumentError(
    'format',
    'format: .xlsx needs the package write-excel-file, which is not installed; run npm install write-excel-file@4',
  );
}

/** @throws ArgumentError that says which limit is passed, and what to write instead */
export function checkSize({ numRows, numCols }: Pick<Table, 'numRows' | 'numCols'>): void {
  refuseAbove(MAX_ROWS - 1, numRows, 'rows below its heading');
  refuseAbove(MAX_COLUMNS, numCols, 'columns');
  refuseAbove(MAX_CELLS, numRows * numCols, 'cells');
}

function refuseAbove(max: number, count: number, what: string): void {
  if (count <= max) return;
  const [given, limit] = [count, max].map((number) => number.toLocaleString('en-US'));
  throw new ArgumentError(
    'table',
    `table: .xlsx is written with up to ${limit} ${what}, and the frame has ${given}; write .parquet or .csv, or fewer rows`,
  );
}
