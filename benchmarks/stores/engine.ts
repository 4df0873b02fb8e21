import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { type Fingerprint, Fingerprinter } from './fingerprint.js';

/** Tables of points, each with its first series, and the columns of an ordinary read of them. */
interface Layout {
  readonly tables: readonly { readonly name: string; readonly first: number }[];
  readonly columns: string;
}

/** Points with their dates: the table of `plainPoints`, and a view of a store's. */
const PLAIN: Layout = {
  tables: [{ name: 'point', first: 0 }],
  columns: 'series, start_date, end_date, value, unit_id, reporting_date',
};
/** Columns of points as a store lays them out, in one or more tables. */
const PACKED_COLUMNS = 'series, start_day, days, value, unit_id, reporting_date';
const AT = { series: 0, end_date: 2, value: 3 };

/** Wanted series, ascending: their numbers are the store's own. */
export type Wanted = readonly number[];

export interface Total {
  readonly rows: number;
  readonly sum: number;
}

/** A query of the points of some series, and whether its rows are streamed. */
interface Way {
  readonly wanted: Wanted;
  /** The condition for those of them that a table has. */
  readonly whereOf: (held: Wanted) => string;
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
        const isStore = `SELECT 1 FROM duckdb_tables() WHERE table_name = 'point_table'`;
        if ((await connection.runAndReadAll(isStore)).currentRowCount > 0)
          layout = await packedLayout(connection);
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
      return [
        {
          wanted,
          whereOf: (held) => `WHERE series BETWEEN ${held[0]} AND ${held.at(-1)}`,
          streamed: true,
        },
      ];
    }
    const list = `SELECT unnest([${wanted}])::INTEGER AS series`;
    await this.#connection.run(`CREATE OR REPLACE TEMP TABLE wanted AS ${list}`);
    const listed = (held: Wanted) => `WHERE series IN (${held})`;
    const joined = () => 'SEMI JOIN temp.wanted USING (series)';
    return [
      { wanted, whereOf: listed, streamed: true },
      { wanted, whereOf: listed, streamed: false },
      { wanted, whereOf: joined, streamed: false },
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

  async *#chunks({ tables, columns, wanted, whereOf, streamed }: Layout & Way): AsyncGenerator<Chunk> {
    const sql = tables
      .flatMap(({ name, first }, i) => {
        const next = tables[i + 1]?.first ?? Number.POSITIVE_INFINITY;
        const held = wanted.filter((series) => series >= first && series < next);
        return held.length === 0 ? [] : [`SELECT ${columns} FROM ${name} ${whereOf(held)}`];
      })
      .join(' UNION ALL ');
    const result = await (streamed ? this.#connection.stream(sql) : this.#connection.run(sql));
    for (;;) {
      const chunk = await result.fetchChunk();
      if (chunk === null || chunk.rowCount === 0) return;
      yield chunk;
    }
  }
}

async function packedLayout(connection: DuckDBConnection): Promise<Layout> {
  const listed = await connection.runAndReadAll(
    'SELECT name, first_handle FROM store.main.point_table ORDER BY first_handle',
  );
  const tables = listed.getRows().map(([name, first]) => ({ name: String(name), first: Number(first) }));
  return { tables, columns: PACKED_COLUMNS };
}

/** The raw values of a column of a chunk. */
function itemsOf<Items>(chunk: Chunk, column: number): Items {
  return (chunk.getColumnVector(column) as unknown as { items: Items }).items;
}
