import type { DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api';
import { bitmapBytes } from '../../../columns/bitmap.js';
import { StoreError } from '../../../model/errors.js';
import { seriesKeyText } from '../../../model/series.js';
import { LAYOUT, POINT_COLUMNS } from '../../schema/tables.js';
import type { NewPoints, NewRows, PutRowsOptions, ReadRows } from '../../store.js';
import { columnsSql, engineColumns, INTEGER } from '../engine/library.js';
import { type Items, rawVector, setValidity } from '../engine/vectors.js';
import { FIGURE_COLUMNS, PACK_DATES, STAGED, STAGING, summarizeStaged } from '../point-tables.js';
import { runAll } from '../writing/ranges.js';
import { readRows } from './read-rows.js';
import { appendChunks, CHUNK_ROWS, stageRows } from './stage-rows.js';

/** The columns of `STAGED`. `arrival` orders the points within a file, or the points that did not come from a file. */
const STAGED_COLUMNS = `start_day, start_ms, days, end_ms, ${FIGURE_COLUMNS}, file, line, arrival`;

/** SQL for the points that `add` appended. NaN becomes null. */
const APPENDED = `SELECT series, ${PACK_DATES}, CASE WHEN NOT isnan(value) THEN value END AS value, unit_id, reporting_date, available_date,
    nullif(metadata, '') AS metadata, NULL AS file, NULL AS line, rowid AS arrival
  FROM ${STAGING}.appended`;

const DROP_STAGING = `DROP SCHEMA IF EXISTS ${STAGING} CASCADE`;
/** Returns statements that drop the view and tables that a read may leave behind if it fails or finds no points. */
const dropView = (view: string): string[] => [
  `DROP VIEW IF EXISTS ${view}`,
  ...['rows', 'series'].map((kind) => `DROP TABLE IF EXISTS ${view}_${kind}`),
];

/** The staged points of an import, before conflicts are resolved and the points are merged into the store. */
export class PointStaging {
  /** The number and the ids of each series whose points `add` has appended, keyed by `seriesKeyText`. */
  readonly #series = new Map<string, readonly [number: number, ...ids: number[]]>();
  /** The views of points from text files. If a single view has all points of the import, that view is `STAGED`. */
  readonly #views: string[] = [];
  #hasAppended = false;
  #isFinished = false;

  private constructor(
    /** The connection to the staged points. It opens no transaction, so every statement is committed immediately. */
    readonly connection: DuckDBConnection,
    /** Whether series are numbered in order of arrival, rather than in `LAYOUT` order. */
    readonly isCopy: boolean,
  ) {}

  /** Creates the staging schema. @param connection the connection to use; `close` also closes it */
  static async create(connection: DuckDBConnection, { isCopy = false } = {}): Promise<PointStaging> {
    await runAll(connection, [
      `${DROP_STAGING}; CREATE SCHEMA ${STAGING}`,
      `CREATE TABLE ${STAGING}.appended (${columnsSql(POINT_COLUMNS)})`,
    ]);
    return new PointStaging(connection, isCopy);
  }

  async add(points: NewPoints): Promise<void> {
    const { columns } = points;
    this.#requireOpen();
    checkColumnLengths(columns);
    this.#hasAppended ||= columns.length > 0;
    const numbers = this.#numberSeries(points);
    await appendChunks(this.connection, `${STAGING}.appended`, {
      types: APPENDED_TYPES,
      length: columns.length,
      write: (chunk, first, rows) => fillChunk(chunk, columns, { numbers, first, rows }),
    });
  }

  async read(rows: NewRows, { mayReject }: Pick<PutRowsOptions, 'mayReject'> = {}): Promise<ReadRows> {
    this.#requireOpen();
    const view = this.#views.length === 0 ? 'staged' : `part_${this.#views.length}`;
    await runAll(this.connection, dropView(`${STAGING}.${view}`));
    const read = await readRows(this.connection, rows, { table: view, mayReject });
    if (read.series.length > 0) this.#views.push(view);
    return read;
  }

  /** Creates `STAGED` (all points, sorted), `staged_series` (numbered in layout order) and `staged_summary`. */
  async finish(): Promise<void> {
    this.#requireOpen();
    this.#isFinished = true;
    if (this.#hasAppended || this.#views.length !== 1) await this.#sortAll();
    await this.connection.run(`DROP TABLE ${STAGING}.appended`);
  }

  async #sortAll(): Promise<void> {
    const columns = ['number', ...LAYOUT].map((name) => [name, INTEGER] as const);
    await stageRows(this.connection, 'appended_series', { columns, rows: [...this.#series.values()] });
    const views = this.#views.map((view) => `${STAGING}.${view}`);
    const parts = [
      [`(${APPENDED})`, 'temp.appended_series'],
      ...views.map((view) => [view, `${view}_series`]),
    ];
    const ids = LAYOUT.join(', ');
    const keys = parts.map(([_, series]) => `FROM ${series}`).join(' UNION ALL BY NAME ');
    const rows = parts.map(
      ([points, series]) => `SELECT renumbered.number AS series, ${STAGED_COLUMNS} FROM ${points} AS point
        JOIN (SELECT own.number AS own, sorted_series.number FROM ${series} AS own
          JOIN ${STAGING}.sorted_series USING (${ids})) AS renumbered ON own = point.series`,
    );
    await runAll(this.connection, [
      `CREATE TABLE ${STAGING}.sorted_series AS
       SELECT row_number() OVER (ORDER BY ${this.isCopy ? 'min(number)' : ids}) - 1 AS number, ${ids}
       FROM (${keys}) GROUP BY ${ids}`,
      `CREATE TABLE ${STAGING}.sorted_rows AS FROM (${rows.join(' UNION ALL ')}) ORDER BY series, start_day`,
      ...[STAGED, ...views.slice(1)].flatMap(dropView),
      `ALTER TABLE ${STAGING}.sorted_series RENAME TO staged_series`,
      `ALTER TABLE ${STAGING}.sorted_rows RENAME TO staged_rows`,
      `CREATE VIEW ${STAGED} AS SELECT *, rowid AS staged_row FROM ${STAGED}_rows`,
      summarizeStaged('staged'),
    ]);
  }

  async close(): Promise<void> {
    await this.connection.run(DROP_STAGING).catch(() => {});
    this.connection.disconnectSync();
  }

  #requireOpen(): void {
    if (this.#isFinished) throw new StoreError('points cannot be added once an import is being committed');
  }

  #numberSeries({ series, columns }: NewPoints): Int32Array {
    const numbers = Int32Array.from(series, (key) => {
      const text = seriesKeyText(key);
      const row = this.#series.get(text) ?? [this.#series.size, ...LAYOUT.map((field) => key[field])];
      this.#series.set(text, row);
      return row[0];
    });
    const rowNumbers = new Int32Array(columns.length);
    for (let row = 0; row < columns.length; row++) {
      const position = columns.series[row]!;
      if (position >= numbers.length)
        throw new StoreError(
          `in the points to import, row ${row} refers to series ${position}, but only ${numbers.length} are listed`,
        );
      rowNumbers[row] = numbers[position]!;
    }
    return rowNumbers;
  }
}

function checkColumnLengths(columns: NewPoints['columns']): void {
  for (const [name, column] of Object.entries(columns)) {
    if (typeof column === 'number' || column === null || column === undefined) continue;
    const minLength = name.endsWith('_valid') ? bitmapBytes(columns.length) : columns.length;
    if ((column as ArrayLike<unknown>).length < minLength)
      throw new StoreError(
        `points to import: column ${name} has fewer values than there are rows (${columns.length})`,
      );
  }
}

const APPENDED_TYPES = engineColumns(POINT_COLUMNS).map(([, type]) => type);

function fillChunk(
  chunk: DuckDBDataChunk,
  columns: NewPoints['columns'],
  { numbers, first, rows }: { numbers: Int32Array; first: number; rows: number },
): void {
  const texts = columns.metadata?.slice(first, first + rows);
  const sources: (Items | undefined)[] = [
    numbers,
    columns.start_date,
    columns.end_date,
    columns.value,
    columns.unit_id,
    columns.reporting_date,
    columns.available_date,
  ];
  const valid = [null, null, null, columns.value_valid, null, columns.reporting_valid];
  if (texts?.some((text) => text !== null)) chunk.setColumnValues(sources.length, texts);
  else sources.push(undefined);
  for (const [column, source] of sources.entries()) {
    const vector = rawVector<Items>(chunk, column);
    if (source === undefined) setValidity(vector, ALL_NULL, { first: 0, rows });
    else {
      // Both arrays have the same type, but the compiler cannot infer this.
      (vector.items as Float64Array).set(source.subarray(first, first + rows) as Float64Array);
      setValidity(vector, valid[column] ?? null, { first, rows });
    }
    vector.flush();
  }
}

const ALL_NULL = new Uint8Array(bitmapBytes(CHUNK_ROWS));
