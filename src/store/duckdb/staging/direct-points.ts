import type { DuckDBConnection, DuckDBDataChunk, DuckDBType } from '@duckdb/node-api';
import { epochWords, setEpoch } from '../../../columns/epoch-words.js';
import { DAY_MS } from '../../../model/time.js';
import { DOUBLE, INTEGER, TIMESTAMP_MS, VARCHAR } from '../engine/library.js';
import { quoted } from '../engine/sql-values.js';
import { rawVector, setValidity } from '../engine/vectors.js';
import { dateFromMs } from '../point-tables.js';
import type { HeldColumn } from './held-column.js';
import type { HeldOrder } from './held-order.js';
import { type HeldPoints, NONE, validOf } from './held-points.js';
import { appendChunks, stageIntegers, stageRows } from './stage-rows.js';

/** The database in memory to which the store's file is attached; it holds nothing else. */
const PLACED_IN = 'memory';

/** Handles of series, both ends included. */
interface HandleRange {
  readonly first: number;
  readonly last: number;
}

/** A column of the table of a range, or a literal where all rows have the same. */
interface PlacedColumn {
  readonly name: string;
  readonly sql: string;
  readonly type: DuckDBType;
  /** Writes the rows into a column of a chunk; absent for a literal. */
  readonly write?: ((chunk: DuckDBDataChunk, at: number, rows: Uint32Array) => void) | undefined;
}

/**
 * The points of an import that nothing need be compared with: their series are new, and no period of them is repeated. They
 * go from memory into the table of points in its order, without a sort.
 */
export class DirectPoints {
  readonly #points: HeldPoints;
  readonly #order: HeldOrder;

  /** @param series the numbers of their series */
  constructor(
    points: HeldPoints,
    order: HeldOrder,
    readonly series: readonly number[],
  ) {
    this.#points = points;
    this.#order = order;
  }

  /** The same points without those of some series. */
  without(series: ReadonlySet<number>): DirectPoints {
    const left = this.series.filter((number) => !series.has(number));
    return new DirectPoints(this.#points, this.#order, left);
  }

  /** How many have a value, and how many have none. */
  count(): { points: number; nulls: number } {
    const { value } = this.#points.columns;
    let [rows, nulls] = [0, 0];
    for (const series of this.series) {
      const ofSeries = this.rowsOf(series);
      rows += ofSeries.length;
      if (this.#points.nulls === 0) continue;
      for (const row of ofSeries) if (Number.isNaN(value.at(row))) nulls++;
    }
    return { points: rows - nulls, nulls };
  }

  /** Rows of one of the series. */
  rowsOf(series: number): Uint32Array {
    const { rows, starts } = this.#order;
    return rows.subarray(starts[series], starts[series + 1]);
  }

  /** Lists the series, with the number of their rows, in the temporary table `direct_series`. */
  async list(connection: DuckDBConnection): Promise<void> {
    const rows = Int32Array.from(this.series, (number) => this.rowsOf(number).length);
    const columns = { number: Int32Array.from(this.series), rows };
    await stageIntegers(connection, 'direct_series', columns);
  }

  /** The first point whose period ends before it starts. */
  findInvalidPeriod(): { series: number; startMs: number; endMs: number } | null {
    const { start_day, start_ms, days, end_ms } = this.#points.columns;
    const { minDays } = this.#points;
    const hasEqualTimes = end_ms.constant !== null && end_ms.constant === start_ms.constant;
    if (minDays > 0 || (minDays === 0 && hasEqualTimes)) return null;
    for (const series of this.series)
      for (const row of this.rowsOf(series)) {
        const startMs = start_day.at(row) * DAY_MS + start_ms.at(row);
        const endMs = (start_day.at(row) + days.at(row)) * DAY_MS + end_ms.at(row);
        if (endMs < startMs) return { series, startMs, endMs };
      }
    return null;
  }

  /**
   * Copies the points of a range of handles, in the order of the handles, to a table that only `placing` can replace. It is in
   * memory and committed: a table of the import's own transaction is scanned by one thread, while another waits for it at full
   * speed.
   * @param connection of the import
   * @param placing another one, of no transaction
   * @returns the query of all columns of `packed_point` for them
   */
  async place(connection: DuckDBConnection, placing: DuckDBConnection, range: HandleRange): Promise<string> {
    const columns = this.#columns();
    const stored = columns.filter(({ write }) => write !== undefined);
    const ddl = stored.map(({ name, type }) => `${name} ${type}`).join(', ');
    const table = `placed_${range.first}`;
    await placing.run(`CREATE OR REPLACE TABLE ${PLACED_IN}.main.${table} (series INTEGER, ${ddl})`);
    if (this.#points.columns.metadata.constant === null) await this.#placeTexts(connection);
    const { rows, handles } = await this.#rowsByHandle(connection, range);
    const types = [INTEGER, ...stored.map(({ type }) => type)];
    const write = (chunk: DuckDBDataChunk, first: number, last: number): void => {
      const series = rawVector<Int32Array>(chunk, 0);
      series.items.set(handles.subarray(first, last));
      series.flush();
      for (const [i, column] of stored.entries()) column.write!(chunk, i + 1, rows.subarray(first, last));
    };
    await appendChunks(placing, { catalog: PLACED_IN, table, types, length: rows.length, write });
    const selected = columns.map(({ name, sql }) => `${sql} AS ${name}`).join(', ');
    return `SELECT series, ${selected} FROM ${PLACED_IN}.main.${table}`;
  }

  /** Removes the tables of `place`. */
  static async clear(placing: DuckDBConnection): Promise<void> {
    const sql = `SELECT table_name FROM duckdb_tables() WHERE database_name = '${PLACED_IN}'`;
    for (const [name] of (await placing.runAndReadAll(sql)).getRows())
      await placing.run(`DROP TABLE ${PLACED_IN}.main.${name}`);
  }

  async #rowsByHandle(connection: DuckDBConnection, { first, last }: HandleRange) {
    const sql = `SELECT handle, number FROM series_handle SEMI JOIN direct_series USING (number)
      WHERE handle BETWEEN ${first} AND ${last} ORDER BY handle`;
    const found = (await connection.runAndReadAll(sql)).getRows() as [handle: number, number: number][];
    const length = found.reduce((sum, [, number]) => sum + this.rowsOf(number).length, 0);
    const rows = new Uint32Array(length);
    const handles = new Int32Array(length);
    let at = 0;
    for (const [handle, number] of found) {
      const ofSeries = this.rowsOf(number);
      rows.set(ofSeries, at);
      handles.fill(handle, at, at + ofSeries.length);
      at += ofSeries.length;
    }
    return { rows, handles };
  }

  /** Texts that points share, each once: it takes less time than a text for each row. */
  async #placeTexts(connection: DuckDBConnection): Promise<void> {
    const columns = [
      ['number', INTEGER],
      ['text', VARCHAR],
    ] as const;
    const rows = this.#points.texts.map((text, number) => [number, text]);
    await stageRows(connection, 'placed_text', { columns, rows });
  }

  #columns(): PlacedColumn[] {
    const { columns, texts } = this.#points;
    const integer = (name: 'start_day' | 'start_ms' | 'days' | 'end_ms' | 'unit_id') =>
      columnOf(name, columns[name], { type: INTEGER, literal: String, write: writeIntegers });
    const date = (name: 'reporting_date' | 'available_date') =>
      columnOf(name, columns[name], { type: TIMESTAMP_MS, literal: dateLiteral, write: writeDates });
    const metadata = columnOf('metadata', columns.metadata, {
      type: INTEGER,
      literal: (number) => (number === NONE ? 'NULL::VARCHAR' : quoted(texts[number]!)),
      write: writeIntegers,
    });
    return [
      ...(['start_day', 'start_ms', 'days', 'end_ms'] as const).map(integer),
      {
        name: 'value',
        sql: 'value',
        type: DOUBLE,
        write: (chunk, at, rows) => writeNumbers(chunk, at, columns.value, rows),
      },
      integer('unit_id'),
      date('reporting_date'),
      date('available_date'),
      metadata.write === undefined ? metadata : { ...metadata, sql: TEXT_OF_NUMBER },
    ];
  }
}

/** The list is made once; its first text has the position 1. */
const TEXT_OF_NUMBER = '(SELECT list(text ORDER BY number) FROM temp.placed_text)[metadata + 1]';

const dateLiteral = (ms: number): string =>
  Number.isNaN(ms) ? 'NULL::TIMESTAMP_MS' : dateFromMs(`${ms}::BIGINT`);

type WriteColumn<Column extends Int32Array | Float64Array> = (
  chunk: DuckDBDataChunk,
  at: number,
  source: HeldColumn<Column>,
  rows: Uint32Array,
) => void;

function columnOf<Column extends Int32Array | Float64Array>(
  name: string,
  source: HeldColumn<Column>,
  {
    type,
    literal,
    write,
  }: { type: DuckDBType; literal: (value: number) => string; write: WriteColumn<Column> },
): PlacedColumn {
  const { constant } = source;
  if (constant !== null) return { name, sql: literal(constant), type };
  return { name, sql: name, type, write: (chunk, at, rows) => write(chunk, at, source, rows) };
}

const writeIntegers: WriteColumn<Int32Array> = (chunk, at, source, rows) => {
  const vector = rawVector<Int32Array>(chunk, at);
  source.gather(rows, vector.items);
  vector.flush();
};

const writeNumbers: WriteColumn<Float64Array> = (chunk, at, source, rows) => {
  const vector = rawVector<Float64Array>(chunk, at);
  source.gather(rows, vector.items);
  setValidity(vector, validOf(vector.items), { first: 0, rows: rows.length });
  vector.flush();
};

const writeDates: WriteColumn<Float64Array> = (chunk, at, source, rows) => {
  const vector = rawVector<BigInt64Array>(chunk, at);
  const numbers = new Float64Array(rows.length);
  source.gather(rows, numbers);
  const words = epochWords(vector.items);
  for (let i = 0; i < numbers.length; i++) setEpoch(words, i, numbers[i]!);
  setValidity(vector, validOf(numbers), { first: 0, rows: rows.length });
  vector.flush();
};
