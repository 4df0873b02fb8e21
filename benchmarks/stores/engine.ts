import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { type Fingerprint, Fingerprinter } from './fingerprint.js';

/** A table of points, and the columns of an ordinary read of it. */
interface Layout {
  readonly table: string;
  readonly columns: string;
}

/** Points with their dates: the table of `plainPoints`, and a view of a store's. */
const PLAIN: Layout = {
  table: 'point',
  columns: 'series, start_date, end_date, value, unit_id, reporting_date',
};
/** Points as a store lays them out. */
const PACKED: Layout = {
  table: 'packed_point',
  columns: 'series, start_day, days, value, unit_id, reporting_date',
};
const AT = { series: 0, end_date: 2, value: 3 };

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

  readonly #layout: Layout;

  private constructor(connection: DuckDBConnection, layout: Layout) {
    this.#connection = connection;
    this.#layout = layout;
  }

  /** Connections to one open file. */
  static async open(file: string, connections: number): Promise<Engine[]> {
    const instance = await DuckDBInstance.create(':memory:');
    const engines: Engine[] = [];
    let layout = PLAIN;
    for (let i = 0; i < connections; i++) {
      const connection = await instance.connect();
      if (i === 0) {
        await connection.run(`ATTACH '${file}' AS store (READ_ONLY)`);
        const packed = `SELECT 1 FROM duckdb_tables() WHERE table_name = '${PACKED.table}'`;
        if ((await connection.runAndReadAll(packed)).currentRowCount > 0) layout = PACKED;
      }
      await connection.run('USE store');
      engines.push(new Engine(connection, layout));
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
    for await (const chunk of this.#chunks({ ...PLAIN, ...way! })) {
      const series = itemsOf<Int32Array>(chunk, AT.series);
      const end = itemsOf<BigInt64Array>(chunk, AT.end_date);
      const value = itemsOf<Float64Array>(chunk, AT.value);
      for (let row = 0; row < chunk.rowCount; row++) {
        print.add(positions.get(series[row]!)!, Number(end[row]), value[row]!);
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
    for await (const chunk of this.#chunks({ ...this.#layout, ...way })) {
      const items = itemsOf<Float64Array>(chunk, AT.value);
      total.rows += items.length;
      for (let row = 0; row < items.length; row++) total.sum += items[row]!;
    }
    return total;
  }

  async *#chunks({ table, columns, where, streamed }: Layout & Way): AsyncGenerator<Chunk> {
    const sql = `SELECT ${columns} FROM ${table} ${where}`;
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
