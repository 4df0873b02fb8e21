import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { Table } from 'apache-arrow';
import { isValid } from '../../columns/bitmap.js';
import { checkFunction, fieldsOf, needed } from '../../model/arguments/checks.js';
import { checkOptions } from '../../model/arguments/option-keys.js';
import { ArgumentError } from '../../model/errors.js';
import { checkTable } from '../table/check-table.js';
import { type FrameColumn, readColumns } from '../table/columns.js';

/** The part of Danfo's `DataFrame` that is used here; the object itself is Danfo's own. */
export interface DanfoFrame {
  /** Names of the columns. */
  readonly columns: string[];
  /** Danfo's type of each column. */
  readonly dtypes: string[];
  /** Number of rows, number of columns. */
  readonly shape: [number, number];
  /** The values, row by row. */
  readonly values: unknown[][];
}

/** The options of Danfo's constructor. */
export interface DanfoFrameOptions {
  /** Names of the columns. */
  columns: string[];
  /** Danfo's type of each column. */
  dtypes: string[];
  /** Danfo's configuration. */
  config: DanfoConfiguration;
}

/** Danfo's configuration of a `DataFrame`. */
export interface DanfoConfiguration {
  /** True keeps one copy of the values. */
  lowMemoryMode: boolean;
}

/** The part of the module `danfojs-node` (or `danfojs` in a browser) that is used here. */
export interface DanfoModule {
  /** The class of data frames. */
  DataFrame: new (
    rows: unknown[][],
    options: DanfoFrameOptions,
  ) => DanfoFrame;
}

/**
 * A frame as a Danfo `DataFrame`: dates become `Date` objects (dtype datetime), numbers become float32 or int32 columns
 * of JavaScript numbers, names become strings. A null number becomes NaN, because Danfo reads null as 0; a null date or
 * text stays null. Danfo computes in 32-bit floats: compute in Arrow, and convert last.
 * @param options.danfo the module, if it is already loaded; otherwise `danfojs-node` is loaded
 * @throws ArgumentError when danfojs-node is not installed; the message says how to install it
 */
export async function toDanfo(
  table: Table,
  options: {
    /** The module, when it is already loaded; `danfojs-node` by default. */
    danfo?: DanfoModule | undefined;
  } = {},
): Promise<DanfoFrame> {
  checkTable(table, 'table');
  checkOptions(options, { danfo: fieldsOf({ DataFrame: needed(checkFunction) }) }, 'toDanfo');
  const { DataFrame } = options.danfo ?? (await loadDanfo());
  const columns = readColumns(table);
  const cells = columns.map(({ column }) => danfoCells(column));
  const rows = Array.from({ length: table.numRows }, (_, row) => cells.map((cell) => cell(row)));
  return new DataFrame(rows, {
    columns: columns.map(({ field }) => field.name),
    dtypes: columns.map(({ column }) => danfoType(column)),
    config: { lowMemoryMode: true },
  });
}

/**
 * Loads `danfojs-node` from the project of the working directory, else from the project that cropframe is installed in.
 * @param directories folders to resolve it from first
 * @throws ArgumentError when it is not installed
 */
export async function loadDanfo(directories: readonly string[] = []): Promise<DanfoModule> {
  for (const from of [...directories, process.cwd()]
    .map((path) => `${pathToFileURL(path)}/`)
    .concat(import.meta.url)) {
    const require = createRequire(from);
    let path: string;
    try {
      path = require.resolve('danfojs-node');
    } catch {
      continue;
    }
    return require(path) as DanfoModule;
  }
  throw new ArgumentError('format', NOT_INSTALLED);
}

const NOT_INSTALLED = [
  'format: danfo needs the package danfojs-node, which is not installed. Add to your package.json',
  '  "overrides": { "@tensorflow/tfjs-node": "npm:@tensorflow/tfjs@4.22.0", "xlsx": "npm:@e965/xlsx@0.20.3" }',
  'then run npm install danfojs-node@1.2.0',
].join('\n');

function danfoType(column: FrameColumn): string {
  switch (column.type) {
    case 'timestamp':
      return 'datetime';
    case 'float64':
      return 'float32';
    case 'int32':
      return column.valid === null ? 'int32' : 'float32';
    default:
      return 'string';
  }
}

function danfoCells(column: FrameColumn): (row: number) => unknown {
  const { valid } = column;
  switch (column.type) {
    case 'timestamp':
      return (row) => (isValid(valid, row) ? new Date(Number(column.values[row])) : null);
    case 'dictionary':
      return (row) => (isValid(valid, row) ? column.categories[column.values[row]!] : null);
    case 'utf8':
      return (row) => column.values[row] ?? null;
    default:
      return (row) => (isValid(valid, row) ? column.values[row] : Number.NaN);
  }
}
