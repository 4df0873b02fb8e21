import type { DuckDBConnection } from '@duckdb/node-api';
import { bitmapBytes } from '../../../columns/bitmap.js';
import { SeriesIndex } from '../../../columns/series-index.js';
import { StoreError } from '../../../model/errors.js';
import { SERIES_KEY_FIELDS, type SeriesKey } from '../../../model/series.js';
import type { NewPoints } from '../../store.js';
import { dayOf, timeOf } from '../point-tables.js';
import { stageIntegers } from './stage-rows.js';
import { StagedAppender } from './staged-appender.js';

/**
 * Where the points of imports wait: beside the store in memory, which the engine spills to disk. Its tables are committed, as
 * one thread alone scans those of an open transaction.
 */
export const STAGING = 'memory.staging';

/** The points of an import in the order of their series and starts; a series has the number that `staged_series` says. */
export const STAGED = `${STAGING}.staged`;

/** Handles follow this order, so that a selection's series are neighbours: all regions of one source's metric and item. */
export const LAYOUT = [
  'metric_id',
  'item_id',
  'source_id',
  'frequency_id',
  'region_id',
  'partner_region_id',
] as const satisfies (keyof SeriesKey)[];

/** The columns of `STAGED`. `arrival` orders the points of a file, and of those without one. */
const STAGED_COLUMNS = `start_day, start_ms, days, end_ms, value, unit_id, reporting_date, available_date, metadata,
  file, line, arrival`;

/** Points that `StagedAppender` has appended, with their days. NaN is no value. */
const APPENDED = `SELECT series AS arrived, ${dayOf('start_date')} AS start_day, ${timeOf('start_date')} AS start_ms,
    ${dayOf('end_date')} - ${dayOf('start_date')} AS days, ${timeOf('end_date')} AS end_ms,
    CASE WHEN NOT isnan(value) THEN value END AS value, unit_id, reporting_date, available_date,
    nullif(metadata, '') AS metadata, file, line, rowid AS arrival
  FROM ${STAGING}.appended`;

/** The points of an import before they are settled and merged. */
export class PointStaging {
  readonly #series = new SeriesIndex();
  #isFinished = false;

  /** It has no transaction of its own. */
  readonly connection: DuckDBConnection;
  readonly #appender: StagedAppender;

  private constructor(connection: DuckDBConnection, appender: StagedAppender) {
    this.connection = connection;
    this.#appender = appender;
  }

  /** @param connection disconnected by `close` */
  static async create(connection: DuckDBConnection): Promise<PointStaging> {
    await connection.run(`DROP SCHEMA IF EXISTS ${STAGING} CASCADE`);
    await connection.run(`CREATE SCHEMA ${STAGING}`);
    return new PointStaging(connection, await StagedAppender.create(connection));
  }

  async add(points: NewPoints): Promise<void> {
    const { columns } = points;
    if (this.#isFinished) throw new StoreError('points cannot be added to an import that is settled');
    checkColumnLengths(columns);
    this.#appender.append(this.#numberSeries(points), points);
  }

  /**
   * Sorts the points into `STAGED`. The table `staged_series` of `STAGING` has the numbers of their series, which ascend in
   * layout order.
   */
  async finish(): Promise<void> {
    this.#isFinished = true;
    this.#appender.close();
    const keys = this.#series.take();
    await stageIntegers(this.connection, 'arrived_series', {
      arrived: Int32Array.from(keys, (_, number) => number),
      ...Object.fromEntries(
        SERIES_KEY_FIELDS.map((field) => [field, Int32Array.from(keys, (key) => key[field])]),
      ),
    });
    await this.connection.run(`CREATE TABLE ${STAGING}.staged_series AS
      SELECT row_number() OVER (ORDER BY ${LAYOUT.join(', ')}) - 1 AS number, * FROM temp.arrived_series`);
    await this.connection.run(`CREATE TABLE ${STAGED} AS
      SELECT number AS series, ${STAGED_COLUMNS} FROM (${APPENDED}) JOIN ${STAGING}.staged_series USING (arrived)
      ORDER BY series, start_day`);
    await this.connection.run(`DROP TABLE ${STAGING}.appended`);
  }

  /** Drops all points. */
  async close(): Promise<void> {
    await this.connection.run(`DROP SCHEMA IF EXISTS ${STAGING} CASCADE`).catch(() => {});
    this.connection.disconnectSync();
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
