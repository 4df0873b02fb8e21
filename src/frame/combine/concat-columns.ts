import { copyBits, emptyBitmap } from '../../columns/bitmap.js';
import { ArgumentError } from '../../model/errors.js';
import { takeRuns } from '../series/take-runs.js';
import type { DictionaryColumn, FrameColumn, Validity } from '../table/columns.js';
import type { RowRun } from '../table/series-view.js';

/** Some rows of a column. */
interface ColumnPart {
  column: FrameColumn;
  runs: readonly RowRun[];
}

/**
 * One column of the rows of several.
 * @throws ArgumentError when their types differ
 */
export function concatColumns(name: string, parts: readonly ColumnPart[]): FrameColumn {
  const taken = parts.map(({ column, runs }) => takeRuns(column, runs));
  const [{ type }] = taken as [FrameColumn];
  const other = taken.find((column) => column.type !== type);
  if (other !== undefined) {
    throw new ArgumentError(
      'tables',
      `tables: column "${name}" is ${type} in one and ${other.type} in another`,
    );
  }
  if (taken.every((column) => column.type === 'utf8')) {
    return { type: 'utf8', values: taken.flatMap(({ values }) => values), valid: concatValidity(taken) };
  }
  if (taken.every((column) => column.type === 'dictionary')) return concatDictionaries(taken);
  return { type, values: concatValues(taken), valid: concatValidity(taken) } as FrameColumn;
}

function countRows(columns: readonly FrameColumn[]): number {
  return columns.reduce((sum, { values }) => sum + values.length, 0);
}

type Values = Float64Array | Int32Array | BigInt64Array;

function concatValues(columns: readonly FrameColumn[]): Values {
  const parts = columns.map(({ values }) => values as Values);
  const all = new (parts[0]!.constructor as new (length: number) => Values)(countRows(columns));
  let at = 0;
  for (const part of parts) {
    all.set(part as never, at);
    at += part.length;
  }
  return all;
}

function concatValidity(columns: readonly FrameColumn[]): Validity {
  if (columns.every(({ valid }) => valid === null)) return null;
  const all = emptyBitmap(countRows(columns));
  let at = 0;
  for (const { valid, values } of columns) {
    copyBits(all, at, { bitmap: valid, at: 0, count: values.length });
    at += values.length;
  }
  return all;
}

function concatDictionaries(columns: readonly DictionaryColumn[]): FrameColumn {
  const codes = new Map<string, number>();
  const values = new Int32Array(countRows(columns));
  let at = 0;
  for (const { values: part, categories } of columns) {
    const renumbered = categories.map((text) => {
      const code = codes.get(text) ?? codes.size;
      codes.set(text, code);
      return code;
    });
    for (const code of part) values[at++] = renumbered[code] ?? 0;
  }
  return { type: 'dictionary', values, categories: [...codes.keys()], valid: concatValidity(columns) };
}
