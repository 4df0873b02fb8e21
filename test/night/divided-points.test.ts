import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/open.js';
import type { Store } from '../../src/store/store.js';
import { describeImports } from '../store/conformance/imports.js';
import { describePoints } from '../store/conformance/points.js';
import { describeRevisions } from '../store/conformance/revisions.js';
import { importVintages, readRows, type Vintage } from '../store/conformance/sample-data.js';
import { createDividedStore, openDividedStore } from '../store/duckdb/divided-store.js';
import { runSql } from '../store/duckdb/run-sql.js';

describe('a store with a table of points for nearly every series', () => {
  describePoints(openDividedStore);
  describeImports(openDividedStore);
  describeRevisions(openDividedStore);
});

describe('the tables of points', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'divided-'));
    path = join(folder, 'store.db');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const ofItem = (item_id: number, days: readonly number[]): Vintage[] =>
    days.map((day) => ({ of: { item_id }, day, value: 100 * item_id + day }));
  const withStore = async <Result>(work: (store: Store) => Promise<Result>): Promise<Result> => {
    const store = await openStore(path);
    return work(store).finally(() => store.close());
  };
  const tables = () =>
    withConnection(path, async (connection) => {
      const listed = await connection.runAndReadAll('SELECT name FROM point_table ORDER BY first_handle');
      const counts: [string, number][] = [];
      for (const [name] of listed.getRows() as [string][]) {
        const counted = await connection.runAndReadAll(`SELECT count(*)::DOUBLE FROM ${name}`);
        counts.push([name, counted.getRows()[0]![0] as number]);
      }
      return counts;
    });

  it('begin with new series when the last one is full, and take more points of their own series', async () => {
    await createDividedStore(path, 4);
    await withStore((store) => importVintages(store, ofItem(1, [0, 1, 2])));
    await withStore((store) => importVintages(store, [...ofItem(1, [3, 4]), ...ofItem(2, [0, 1])]));
    await withStore((store) => importVintages(store, [...ofItem(2, [2]), ...ofItem(3, [0])]));
    expect(await tables()).toEqual([
      ['packed_point', 5],
      ['packed_point_1', 4],
    ]);
    const read = await withStore((store) => readRows(store));
    expect(read.map(({ value }) => value)).toEqual([100, 101, 102, 103, 104, 200, 201, 202, 300]);
    expect(await withStore((store) => store.findFaults())).toEqual([]);
  });

  it('are sorted one by one, and divided where they have become too large', async () => {
    await createDividedStore(path, 1_000);
    await withStore((store) =>
      importVintages(
        store,
        [1, 2, 3].flatMap((item) => ofItem(item, [5, 6])),
      ),
    );
    await runSql(path, 'UPDATE meta SET table_points = 3');
    await runSql(path, 'UPDATE point_table SET unsorted_points = 100000');
    await withStore((store) => importVintages(store, ofItem(2, [1, 2])));
    expect(await tables()).toEqual([
      ['packed_point', 6],
      ['packed_point_2', 2],
    ]);
    const nullable = `SELECT DISTINCT column_name FROM duckdb_columns()
      WHERE database_name = 'store' AND starts_with(table_name, 'packed_') AND is_nullable ORDER BY ALL`;
    expect(
      await withConnection(path, async (connection) => (await connection.runAndReadAll(nullable)).getRows()),
    ).toEqual([['metadata'], ['reporting_date'], ['value']]);
    const read = await withStore((store) => readRows(store));
    expect(read.map(({ value }) => value)).toEqual([105, 106, 201, 202, 205, 206, 305, 306]);
    expect(await withStore((store) => store.findFaults())).toEqual([]);
  });

  it('are checked for points of other series', async () => {
    await createDividedStore(path, 2);
    await withStore((store) => importVintages(store, [...ofItem(1, [0, 1]), ...ofItem(2, [0, 1])]));
    await runSql(path, 'UPDATE point_table SET first_handle = 2 WHERE first_handle = 1');
    expect(await withStore((store) => store.findFaults())).toEqual([
      '2 points of series 1 in the table packed_point_1 of other series',
    ]);
  });
});

type Connection = Awaited<ReturnType<DuckDBInstance['connect']>>;

async function withConnection<Result>(
  path: string,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(`ATTACH '${path}' AS store`);
  await connection.run('USE store');
  try {
    return await work(connection);
  } finally {
    await connection.run('USE memory');
    await connection.run('DETACH store');
    connection.disconnectSync();
    instance.closeSync();
  }
}
