import type { DuckDBAppender, DuckDBConnection, DuckDBType } from '@duckdb/node-api';
import { bitmapBytes } from '../../../columns/bitmap.js';
import type { NewPoints } from '../../store.js';
import { DOUBLE, DuckDBDataChunk, INTEGER, TIMESTAMP_MS, VARCHAR } from '../engine/library.js';
import { copyItems, rawVector, setValidity } from '../engine/vectors.js';
import { CHUNK_ROWS } from './stage-rows.js';

const STAGED_TYPES: readonly DuckDBType[] = [
  INTEGER,
  TIMESTAMP_MS,
  TIMESTAMP_MS,
  DOUBLE,
  INTEGER,
  TIMESTAMP_MS,
  TIMESTAMP_MS,
  INTEGER,
  INTEGER,
  VARCHAR,
];

/** Appends points to the table `appended`. */
export class StagedAppender {
  /** Reused for all rows, because a chunk's memory is freed only when its object is collected. */
  readonly #chunk = DuckDBDataChunk.create(STAGED_TYPES);
  readonly #appender: DuckDBAppender;

  private constructor(appender: DuckDBAppender) {
    this.#appender = appender;
  }

  static async create(connection: DuckDBConnection): Promise<StagedAppender> {
    await connection.run(`CREATE TABLE memory.staging.appended (series INTEGER, start_date TIMESTAMP_MS,
      end_date TIMESTAMP_MS, value DOUBLE, unit_id INTEGER, reporting_date TIMESTAMP_MS,
      available_date TIMESTAMP_MS, file INTEGER, line INTEGER, metadata VARCHAR)`);
    return new StagedAppender(await connection.createAppender('appended', 'staging', 'memory'));
  }

  /** @param numbers the number of each row's series */
  append(numbers: Int32Array, { columns, origin }: Omit<NewPoints, 'series'>): void {
    for (let first = 0; first < columns.length; first += CHUNK_ROWS) {
      const rows = Math.min(CHUNK_ROWS, columns.length - first);
      this.#chunk.reset();
      this.#chunk.rowCount = rows;
      fillChunk(this.#chunk, columns, { numbers, origin, first, rows });
      this.#appender.appendDataChunk(this.#chunk);
    }
  }

  close(): void {
    this.#appender.closeSync();
  }
}

interface StagedRows {
  readonly numbers: Int32Array;
  readonly origin: NewPoints['origin'];
  readonly first: number;
  readonly rows: number;
}

function fillChunk(
  chunk: DuckDBDataChunk,
  columns: NewPoints['columns'],
  { numbers, origin, first, rows }: StagedRows,
): void {
  const sources = [
    numbers,
    columns.start_date,
    columns.end_date,
    columns.value,
    columns.unit_id,
    columns.reporting_date,
    columns.available_date,
  ];
  const valid = [null, null, null, columns.value_valid, null, columns.reporting_valid, null];
  for (const [column, source] of sources.entries()) {
    const vector = rawVector<typeof source>(chunk, column);
    copyItems(vector.items, source.subarray(first, first + rows));
    setValidity(vector, valid[column] ?? null, { first, rows });
    vector.flush();
  }
  for (const [column, source] of [origin?.file, origin?.line].entries())
    setOptional(chunk, FILE_COLUMN + column, source?.subarray(first, first + rows));
  setTexts(chunk, columns.metadata?.slice(first, first + rows));
}

/** Position of the first column of the origin. */
const FILE_COLUMN = 7;

function setOptional(chunk: DuckDBDataChunk, column: number, source: Int32Array | undefined): void {
  const vector = rawVector<Int32Array>(chunk, column);
  const { rowCount } = chunk;
  if (source !== undefined) copyItems(vector.items, source);
  else setValidity(vector, ALL_NULL, { first: 0, rows: rowCount });
  vector.flush();
}

function setTexts(chunk: DuckDBDataChunk, texts: readonly (string | null)[] | undefined): void {
  const column = STAGED_TYPES.length - 1;
  if (texts?.some((text) => text !== null)) {
    chunk.setColumnValues(column, texts);
    return;
  }
  const vector = rawVector<Float64Array>(chunk, column);
  setValidity(vector, ALL_NULL, { first: 0, rows: chunk.rowCount });
  vector.flush();
}

const ALL_NULL = new Uint8Array(bitmapBytes(CHUNK_ROWS));
