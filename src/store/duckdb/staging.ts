import {
  DOUBLE,
  type DuckDBAppender,
  type DuckDBConnection,
  DuckDBDataChunk,
  type DuckDBType,
  INTEGER,
  TIMESTAMP_MS,
  VARCHAR,
} from '@duckdb/node-api';
import { StoreError } from '../../model/errors.js';
import { isValid } from '../../model/point.js';
import { SERIES_KEY_FIELDS, type SeriesKey, seriesKeyText } from '../../model/series.js';
import type { NewPoints } from '../store.js';
import { copyItems, rawVector } from './vectors.js';

const CHUNK_ROWS = 2_048;

const STAGED_TYPES: readonly DuckDBType[] = [
  INTEGER,
  TIMESTAMP_MS,
  TIMESTAMP_MS,
  DOUBLE,
  INTEGER,
  TIMESTAMP_MS,
  TIMESTAMP_MS,
  VARCHAR,
];

/**
 * The points of an import on their way in: the temporary table `staged`, whose `series` counts the import's own
 * series. Whole chunks are filled by copying typed arrays.
 */
export class PointStaging {
  private readonly numbers = new Map<string, number>();
  readonly series: SeriesKey[] = [];
  rows = 0;

  private constructor(
    private readonly connection: DuckDBConnection,
    private readonly appender: DuckDBAppender,
  ) {}

  static async create(connection: DuckDBConnection): Promise<PointStaging> {
    await connection.run(`CREATE TEMP TABLE staged (series INTEGER, start_date TIMESTAMP_MS,
      end_date TIMESTAMP_MS, value DOUBLE, unit_id INTEGER, reporting_date TIMESTAMP_MS,
      available_date TIMESTAMP_MS, metadata VARCHAR)`);
    return new PointStaging(connection, await connection.createAppender('staged', 'main', 'temp'));
  }

  add(points: NewPoints): void {
    const { columns } = points;
    const numbers = this.numberSeries(points);
    for (let first = 0; first < columns.length; first += CHUNK_ROWS) {
      const rows = Math.min(CHUNK_ROWS, columns.length - first);
      this.appender.appendDataChunk(stagedChunk(columns, numbers, { first, rows }));
    }
    this.rows += columns.length;
  }

  /** Ends the staging: writes what is buffered, and the series as the temporary table `staged_series`. */
  async finish(): Promise<void> {
    this.appender.closeSync();
    const fields = SERIES_KEY_FIELDS.map((field) => `${field} INTEGER`).join(', ');
    await this.connection.run(`CREATE TEMP TABLE staged_series (number INTEGER, ${fields})`);
    const appender = await this.connection.createAppender('staged_series', 'main', 'temp');
    for (let first = 0; first < this.series.length; first += CHUNK_ROWS) {
      const part = this.series.slice(first, first + CHUNK_ROWS);
      const chunk = DuckDBDataChunk.create(Array<DuckDBType>(1 + SERIES_KEY_FIELDS.length).fill(INTEGER));
      chunk.setRows(part.map((key, i) => [first + i, ...SERIES_KEY_FIELDS.map((field) => key[field])]));
      appender.appendDataChunk(chunk);
    }
    appender.closeSync();
  }

  /** The import's number of each of the batch's series; row by row when it is not the identity. */
  private numberSeries({ series, columns }: NewPoints): Int32Array {
    const numbers = Int32Array.from(series, (key) => this.numberOf(key));
    return Int32Array.from({ length: columns.length }, (_, row) => {
      const number = numbers[columns.series[row]!];
      if (number === undefined) {
        throw new StoreError(
          `points to import: row ${row} is of series ${columns.series[row]}, but only ${series.length} are listed`,
        );
      }
      return number;
    });
  }

  private numberOf(key: SeriesKey): number {
    const text = seriesKeyText(key);
    const known = this.numbers.get(text);
    if (known !== undefined) return known;
    this.numbers.set(text, this.series.length);
    return this.series.push(key) - 1;
  }
}

function stagedChunk(
  columns: NewPoints['columns'],
  numbers: Int32Array,
  { first, rows }: { first: number; rows: number },
): DuckDBDataChunk {
  const chunk = DuckDBDataChunk.create(STAGED_TYPES, rows);
  const sources = [
    numbers,
    columns.start_date,
    columns.end_date,
    columns.value,
    columns.unit_id,
    columns.reporting_date,
    columns.available_date,
  ];
  const valid = [null, null, null, columns.valueValid, null, columns.reportingValid, null];
  for (const [column, source] of sources.entries()) {
    const vector = rawVector<typeof source>(chunk, column);
    copyItems(vector.items, source.subarray(first, first + rows));
    const bitmap = valid[column] ?? null;
    for (let row = 0; bitmap !== null && row < rows; row++) {
      if (!isValid(bitmap, first + row)) vector.validity.setItemValid(row, false);
    }
    vector.flush();
  }
  setTexts(chunk, columns.metadata?.slice(first, first + rows) ?? null);
  return chunk;
}

function setTexts(chunk: DuckDBDataChunk, texts: readonly (string | null)[] | null): void {
  const column = STAGED_TYPES.length - 1;
  chunk.setColumnValues(column, texts ?? Array<null>(chunk.rowCount).fill(null));
}
