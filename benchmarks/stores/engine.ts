import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { DAY_MS } from '../../src/model/time.js';
import { type Fingerprint, Fingerprinter } from './fingerprint.js';

/** The columns of an ordinary read. */
const COLUMNS = 'series, start_day, days, value, unit_id, reporting_date';
const AT = { series: 0, start_day: 1, days: 2, value: 3 };

/** Wanted series, ascending: their numbers are the store's own. */
export type Wanted = readonly number[];

export interface Total {
  readonly rows: number;
  readonly sum: number;
}

/** A query of the points of some series, and whether its rows are streamed. */
interface Way {
  readonly where: string;
  readonly streamed: boolean;
}

type Chunk = NonNullable<Awaited<ReturnType<Awaited<ReturnType<DuckDBConnection['run']>>['fetchChunk']>>>;

/** DuckDB on a file with a table of points, without anything of ours: fetches all chunks of a query and adds up their values. */
export class Engine {
  readonly #connection: DuckDBConnection;
  /** The fastest way of reading some series. */
  #fastest: { wanted: Wanted; way: Way } | null = null;

  private constructor(connection: DuckDBConnection) {
    this.#connection = connection;
  }

  /** Connections to one open file. */
  static async open(file: string, connections: number): Promise<Engine[]> {
    const instance = await DuckDBInstance.create(':memory:');
    const engines: Engine[] = [];
    for (let i = 0; i < connections; i++) {
      const connection = await instance.connect();
      if (i === 0) await connection.run(`ATTACH '${file}' AS store (READ_ONLY)`);
      await connection.run('USE store');
      engines.push(new Engine(connection));
    }
    return engines;
  }

  /** Finds out the fastest way of reading these series, which later scans of the same series use. */
  async prepare(wanted: Wanted): Promise<void> {
    const ways = await this.#waysOf(wanted);
    let [fastest, way] = [Number.POSITIVE_INFINITY, ways[0]!];
    for (const each of [...ways, ...ways]) {
      const began = performance.now();
      await this.#total(each);
      const ms = performance.now() - began;
      if (ms < fastest) [fastest, way] = [ms, each];
    }
    this.#fastest = { wanted, way };
  }

  async scan(wanted: Wanted): Promise<Total> {
    const known = this.#fastest;
    const isKnown = known?.wanted.length === wanted.length && known.wanted[0] === wanted[0];
    return this.#total(isKnown ? known.way : (await this.#waysOf(wanted))[0]!);
  }

  async fingerprint(wanted: Wanted): Promise<Fingerprint> {
    const print = new Fingerprinter();
    const positions = new Map(wanted.map((series, position) => [series, position]));
    const [way] = await this.#waysOf(wanted);
    for await (const chunk of this.#chunks(way!)) {
      const series = itemsOf<Int32Array>(chunk, AT.series);
      const start = itemsOf<Int32Array>(chunk, AT.start_day);
      const days = itemsOf<Int32Array>(chunk, AT.days);
      const value = itemsOf<Float64Array>(chunk, AT.value);
      for (let row = 0; row < chunk.rowCount; row++) {
        const end = (start[row]! + days[row]!) * DAY_MS;
        print.add(positions.get(series[row]!)!, end, value[row]!);
      }
    }
    return print.fingerprint;
  }

  /** One range in layout order for neighbouring series; for scattered ones none is fastest for every number. */
  async #waysOf(wanted: Wanted): Promise<Way[]> {
    const [first, last] = [wanted[0]!, wanted.at(-1)!];
    if (last - first === wanted.length - 1) {
      return [{ where: `WHERE series BETWEEN ${first} AND ${last}`, streamed: true }];
    }
    const list = `SELECT unnest([${wanted}])::INTEGER AS series`;
    await this.#connection.run(`CREATE OR REPLACE TEMP TABLE wanted AS ${list}`);
    const listed = `WHERE series IN (${wanted})`;
    return [
      { where: listed, streamed: true },
      { where: listed, streamed: false },
      { where: 'SEMI JOIN temp.wanted USING (series)', streamed: false },
    ];
  }

  async #total(way: Way): Promise<Total> {
    const total = { rows: 0, sum: 0 };
    for await (const chunk of this.#chunks(way)) {
      const items = itemsOf<Float64Array>(chunk, AT.value);
      total.rows += items.length;
      for (let row = 0; row < items.length; row++) total.sum += items[row]!;
    }
    return total;
  }

  async *#chunks({ where, streamed }: Way): AsyncGenerator<Chunk> {
    const sql = `SELECT ${COLUMNS} FROM packed_point ${where}`;
    const result = await (streamed ? this.#connection.stream(sql) : this.#connection.run(sql));
    for (;;) {
      const chunk = await result.fetchChunk();
      if (chunk === null || chunk.rowCount === 0) return;
      yield chunk;
    }
  }
}

/** The raw values of a column of a chunk. */
function itemsOf<Items>(chunk: Chunk, column: number): Items {
  return (chunk.getColumnVector(column) as unknown as { items: Items }).items;
}
