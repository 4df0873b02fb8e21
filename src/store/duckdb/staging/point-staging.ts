import type { DuckDBConnection } from '@duckdb/node-api';
import { bitmapBytes } from '../../../columns/bitmap.js';
import { SeriesIndex } from '../../../columns/series-index.js';
import { StoreError } from '../../../model/errors.js';
import { SERIES_KEY_FIELDS } from '../../../model/series.js';
import type { NewPoints } from '../../store.js';
import { turns } from '../../turns.js';
import { AscendingSeries } from './ascending-series.js';
import { DirectPoints } from './direct-points.js';
import { orderHeld } from './held-order.js';
import { HeldPoints } from './held-points.js';
import { stageIntegers } from './stage-rows.js';
import { StagedAppender } from './staged-appender.js';

/** Rows that are held in memory; those of larger imports are staged in the database, which keeps them on disk. */
const MAX_HELD_ROWS = 2_000_000;
/** Remarks are few, or each has its own: then they are not held. */
const MAX_HELD_TEXTS = 100_000;

/**
 * The points of an import before they are merged. They are held in memory as long as they are not too many. Those that must
 * be compared with others are then in the temporary table `staged`: its column `series` numbers the series of the import;
 * `file` and `line` say where a point was read.
 */
export class PointStaging {
  readonly #series = new SeriesIndex();
  #held = new HeldPoints();
  /** Finds the series that repeat a period, once points are no longer held. */
  #order: AscendingSeries | null = null;
  #isFinished = false;
  #seriesCount = 0;

  readonly #connection: DuckDBConnection;
  #appender: StagedAppender;

  private constructor(connection: DuckDBConnection, appender: StagedAppender) {
    this.#connection = connection;
    this.#appender = appender;
  }

  static async create(connection: DuckDBConnection): Promise<PointStaging> {
    return new PointStaging(connection, await StagedAppender.create(connection));
  }

  async add(given: NewPoints): Promise<void> {
    const points = withoutEmptyTexts(given);
    const { columns } = points;
    if (this.#isFinished) throw new StoreError('points cannot be added to an import that is settled');
    checkColumnLengths(columns);
    const numbers = this.#numberSeries(points);
    if (this.#order !== null) {
      this.#stage(numbers, points);
      return;
    }
    const held = this.#held;
    held.add(numbers, points);
    if (held.length <= MAX_HELD_ROWS && held.texts.length <= MAX_HELD_TEXTS) return;
    this.#held = new HeldPoints();
    this.#order = new AscendingSeries();
    await this.#stageRows(held, await rowsWhere(held.length, () => true));
  }

  /**
   * Writes the series into the temporary table `staged_series`, the points that must be compared with others into `staged`,
   * and the numbers of series that may repeat a period into `unordered_series`.
   * @returns the points that need not be compared
   */
  async finish(): Promise<DirectPoints> {
    this.#isFinished = true;
    const keys = this.#series.take();
    this.#seriesCount = keys.length;
    const numbers = Int32Array.from(keys, (_, number) => number);
    await stageIntegers(this.#connection, 'staged_series', {
      number: numbers,
      ...Object.fromEntries(
        SERIES_KEY_FIELDS.map((field) => [field, Int32Array.from(keys, (key) => key[field])]),
      ),
    });
    const order = await orderHeld(this.#held, keys.length);
    const known = await readNumberColumn(this.#connection, STORED_SERIES);
    const compared = new Uint8Array(keys.length);
    for (const number of [...known, ...order.repeated]) compared[number] = 1;
    await this.#stageRows(this.#held, await rowsOfSeries(this.#held, compared));
    this.#appender.close();
    const unordered = Int32Array.from([...order.repeated, ...(this.#order?.unordered() ?? [])]);
    await stageIntegers(this.#connection, 'unordered_series', { number: unordered });
    const direct = [...numbers].filter(
      (number) => compared[number] === 0 && order.starts[number + 1]! > order.starts[number]!,
    );
    const points = new DirectPoints(this.#held, order, direct);
    await points.list(this.#connection);
    return points;
  }

  /** Stages the points of the series that the store has. @returns the others, or the same object if that are all */
  async stageStored(direct: DirectPoints): Promise<DirectPoints> {
    const known = new Set(await readNumberColumn(this.#connection, STORED_SERIES));
    const compared = new Uint8Array(this.#seriesCount);
    for (const number of direct.series) if (known.has(number)) compared[number] = 1;
    if (!compared.includes(1)) return direct;
    this.#appender = await StagedAppender.open(this.#connection);
    await this.#stageRows(this.#held, await rowsOfSeries(this.#held, compared));
    this.#appender.close();
    const left = direct.without(known);
    await left.list(this.#connection);
    return left;
  }

  async #stageRows(held: HeldPoints, rows: Uint32Array): Promise<void> {
    for (let first = 0; first < rows.length; first += STAGED_TOGETHER) {
      await turns.next();
      const { numbers, points } = held.take(rows.subarray(first, first + STAGED_TOGETHER));
      this.#stage(numbers, points);
    }
  }

  #stage(numbers: Int32Array, points: Omit<NewPoints, 'series'>): void {
    this.#order?.add(numbers, points.columns.start_date);
    this.#appender.append(numbers, points);
  }

  /** The series number of each row. */
  #numberSeries({ series, columns }: NewPoints): Int32Array {
    const numbers = Int32Array.from(series, (key) => this.#series.indexOf(key));
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

/** Rows that are copied from memory into the table together. */
const STAGED_TOGETHER = 8_192;

/** The numbers of the import's series that the store has. */
const STORED_SERIES = `
  SELECT number FROM temp.staged_series SEMI JOIN series USING (${SERIES_KEY_FIELDS.join(', ')})`;

async function readNumberColumn(connection: DuckDBConnection, sql: string): Promise<number[]> {
  return (await connection.runAndReadAll(sql)).getRows().map(([number]) => number as number);
}

/** The rows of some series in order of arrival. */
async function rowsOfSeries(held: HeldPoints, isWanted: Uint8Array): Promise<Uint32Array> {
  if (!isWanted.includes(1)) return new Uint32Array(0);
  const series = held.columns.series.flat();
  return rowsWhere(series.length, (row) => isWanted[series[row]!] === 1);
}

/** Rows that are looked at between two turns. */
const LOOKED_AT_TOGETHER = 262_144;

/** The rows for which the test holds, ascending. */
async function rowsWhere(length: number, isWanted: (row: number) => boolean): Promise<Uint32Array> {
  const rows = new Uint32Array(length);
  let count = 0;
  for (let row = 0; row < length; row++) {
    if (row % LOOKED_AT_TOGETHER === 0) await turns.next();
    if (isWanted(row)) rows[count++] = row;
  }
  return rows.subarray(0, count);
}

/** An empty remark is none. */
function withoutEmptyTexts(points: NewPoints): NewPoints {
  const { columns } = points;
  if (!columns.metadata?.includes('')) return points;
  return { ...points, columns: { ...columns, metadata: columns.metadata.map((text) => text || null) } };
}
