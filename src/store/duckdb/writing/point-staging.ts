import type { DuckDBAppender, DuckDBConnection, DuckDBType } from '@duckdb/node-api';
import { bitmapBytes } from '../../../columns/bitmap.js';
import { StoreError } from '../../../model/errors.js';
import { SERIES_KEY_FIELDS, type SeriesKey, seriesKeyText } from '../../../model/series.js';
import { applyIdChange, type IdChange } from '../../id-change.js';
import type { NewPoints } from '../../store.js';
import { DOUBLE, DuckDBDataChunk, INTEGER, TIMESTAMP_MS, VARCHAR } from '../engine/library.js';
import { copyItems, rawVector, setValidity } from '../engine/vectors.js';
import { AscendingSeries } from './ascending-series.js';
import { CHUNK_ROWS, stageRows } from './stage-rows.js';

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

const NUMBER_COLUMN = ['number', INTEGER] as const;
const SERIES_COLUMNS = [NUMBER_COLUMN, ...SERIES_KEY_FIELDS.map((field) => [field, INTEGER] as const)];

/**
 * The points of an import before they are merged, in the temporary table `staged`. Its column `series` numbers the series
 * of the import; `file` and `line` say where a point was read.
 */
export class PointStaging {
  readonly #numbers = new Map<string, number>();
  /** Reused for all rows, because a chunk's memory is freed only when its object is collected. */
  readonly #chunk = DuckDBDataChunk.create(STAGED_TYPES);
  readonly #series: SeriesKey[] = [];
  readonly #order = new AscendingSeries();
  #isFinished = false;

  readonly #connection: DuckDBConnection;
  readonly #appender: DuckDBAppender;

  private constructor(connection: DuckDBConnection, appender: DuckDBAppender) {
    this.#connection = connection;
    this.#appender = appender;
  }

  static async create(connection: DuckDBConnection): Promise<PointStaging> {
    await connection.run(`CREATE TEMP TABLE staged (series INTEGER, start_date TIMESTAMP_MS,
      end_date TIMESTAMP_MS, value DOUBLE, unit_id INTEGER, reporting_date TIMESTAMP_MS,
      available_date TIMESTAMP_MS, file INTEGER, line INTEGER, metadata VARCHAR)`);
    return new PointStaging(connection, await connection.createAppender('staged', 'main', 'temp'));
  }

  add(points: NewPoints): void {
    const { columns, origin } = points;
    if (this.#isFinished) throw new StoreError('points cannot be added to an import that is settled');
    checkColumnLengths(columns);
    const numbers = this.#numberSeries(points);
    this.#order.add(numbers, columns.start_date);
    for (let first = 0; first < columns.length; first += CHUNK_ROWS) {
      const rows = Math.min(CHUNK_ROWS, columns.length - first);
      this.#chunk.reset();
      this.#chunk.rowCount = rows;
      fillChunk(this.#chunk, columns, { numbers, origin, first, rows });
      this.#appender.appendDataChunk(this.#chunk);
    }
  }

  /** Replaces an entity's id in the staged points. Nothing is staged under the new id yet. */
  async changeId(change: IdChange): Promise<void> {
    for (const [number, key] of this.#series.entries()) {
      const changed = applyIdChange(key, change);
      if (changed === key) continue;
      this.#numbers.delete(seriesKeyText(key));
      this.#numbers.set(seriesKeyText(changed), number);
      this.#series[number] = changed;
    }
    if (change.type !== 'units') return;
    this.#appender.flushSync();
    await this.#connection.run('UPDATE temp.staged SET unit_id = ? WHERE unit_id = ?', [
      change.to,
      change.from,
    ]);
  }

  /**
   * Flushes the staged points, and writes the series into the temporary table `staged_series`, and the numbers of those
   * that may repeat a period into `unordered_series`.
   */
  async finish(): Promise<void> {
    this.#isFinished = true;
    this.#appender.closeSync();
    const keys = this.#series.map((key, number) => [number, ...SERIES_KEY_FIELDS.map((field) => key[field])]);
    await stageRows(this.#connection, 'staged_series', { columns: SERIES_COLUMNS, rows: keys });
    const unordered = this.#order.unordered().map((number) => [number]);
    await stageRows(this.#connection, 'unordered_series', { columns: [NUMBER_COLUMN], rows: unordered });
  }

  /** The series number of each row. */
  #numberSeries({ series, columns }: NewPoints): Int32Array {
    const numbers = Int32Array.from(series, (key) => this.#seriesNumber(key));
    const rowNumbers = new Int32Array(columns.length);
    for (let row = 0; row < columns.length; row++) {
      const position = columns.series[row]!;
      if (position >= numbers.length) {
        throw new StoreError(
          `points to import: row ${row} has series ${position}, but only ${numbers.length} series are listed`,
        );
      }
      rowNumbers[row] = numbers[position]!;
    }
    return rowNumbers;
  }

  #seriesNumber(key: SeriesKey): number {
    const text = seriesKeyText(key);
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#series.length);
    return this.#series.push(key) - 1;
  }
}

function checkColumnLengths(columns: NewPoints['columns']): void {
  for (const [name, column] of Object.entries(columns)) {
    if (typeof column === 'number' || column === null || column === undefined) continue;
    const minLength = name.endsWith('_valid') ? bitmapBytes(columns.length) : columns.length;
    if ((column as ArrayLike<unknown>).length < minLength) {
      throw new StoreError(`points to import: column ${name} is shorter than the ${columns.length} rows`);
    }
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
  if (source === undefined) setValidity(vector, ALL_NULL, { first: 0, rows: chunk.rowCount });
  else copyItems(vector.items, source);
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
