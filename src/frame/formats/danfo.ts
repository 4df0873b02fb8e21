import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { Table } from 'apache-arrow';
import { isValid } from '../../columns/bitmap.js';
import { ArgumentError } from '../../model/errors.js';
import { type FrameColumn, readColumns } from '../table/columns.js';

/** What is used here of a Danfo `DataFrame`; the object itself is Danfo's own. */
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

/** How a Danfo `DataFrame` is made. */
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

/** What is used here of the module `danfojs-node` (or `danfojs` in a browser). */
export interface DanfoModule {
  /** The class of data frames. */
  DataFrame: new (
    rows: unknown[][],
    options: DanfoFrameOptions,
  ) => DanfoFrame;
}

/**
 * A frame as a Danfo `DataFrame`: dates become `Date`s (dtype datetime), numbers float32 or int32 columns of
 * JavaScript numbers, names strings. A null number becomes NaN (Danfo takes null for 0), a null date or text stays
 * null. Danfo computes in 32-bit floats: convert at the edge, compute in Arrow.
 * @param options.danfo the module, where it is already loaded; else `danfojs-node` is looked for
 * @throws ArgumentError when danfojs-node is not installed; the message says how to install it
 */
export async function toDanfo(
  table: Table,
  options: {
    /** The module, when it is already loaded; `danfojs-node` by default. */
    danfo?: DanfoModule | undefined;
  } = {},
): Promise<DanfoFrame> {
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
 * Loads `danfojs-node` from the first place that has it: the working directory's project, then cropframe's own
 * surroundings.
 * @param directories further places, searched first; each a folder whose `node_modules`, or a parent's, may hold it
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
