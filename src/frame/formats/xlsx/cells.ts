import { isValid } from '../../../columns/bitmap.js';
import { ArgumentError } from '../../../model/errors.js';
import { DAY_MS, formatDay, formatTime, utcDay } from '../../../model/time.js';
import type { FrameColumn } from '../../table/columns.js';

/** A cell as write-excel-file takes it; null is empty. */
export type Cell =
  | string
  | number
  | null
  | { readonly value: Date; readonly type: DateConstructor; readonly format: string }
  | { readonly value: string; readonly fontWeight: 'bold' };

/** Characters of a cell, by Microsoft's "Excel specifications and limits". */
const MAX_CHARACTERS = 32_767;

/** Excel counts days from 1900, with a 29th of February that this year did not have: dates before March are texts. */
const FIRST_DATE_MS = utcDay(1900, 3, 1);

/** The reader of a column's cells. @throws ArgumentError for a text that no cell takes */
export function cellReader(column: FrameColumn, name: string): (row: number) => Cell {
  const value = valueReader(column, name);
  return (row) => (isValid(column.valid, row) ? value(row) : null);
}

function valueReader(column: FrameColumn, name: string): (row: number) => Cell {
  switch (column.type) {
    case 'timestamp': {
      const hasTimes = column.values.some((time, row) => isValid(column.valid, row) && !isDay(Number(time)));
      return (row) => dateCell(Number(column.values[row]), hasTimes);
    }
    case 'float64':
      return (row) => numberCell(column.values[row]!);
    case 'int32':
      return (row) => column.values[row]!;
    case 'dictionary':
      return (row) => textCell(column.categories[column.values[row]!] ?? null, name);
    case 'utf8':
      return (row) => textCell(column.values[row] ?? null, name);
  }
}

function isDay(ms: number): boolean {
  return ms % DAY_MS === 0;
}

function dateCell(ms: number, hasTimes: boolean): Cell {
  if (ms < FIRST_DATE_MS) return hasTimes ? formatTime(ms) : formatDay(ms);
  return { value: new Date(ms), type: Date, format: hasTimes ? 'yyyy-mm-dd hh:mm:ss' : 'yyyy-mm-dd' };
}

/** Excel has no infinity, and no number that is none: they are texts, so that they are not taken for empty. */
function numberCell(value: number): Cell {
  return Number.isFinite(value) ? value : String(value);
}

function textCell(text: string | null, name: string): Cell {
  if (text === null || text.length <= MAX_CHARACTERS) return text;
  throw new ArgumentError(
    'table',
    `table: column "${name}" has a text of ${text.length} characters, and a cell of .xlsx takes ${MAX_CHARACTERS}; write .parquet or .csv`,
  );
}

/** A cell of a heading. */
export function heading(text: string): Cell {
  return { value: text, fontWeight: 'bold' };
}
