import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { copyStore } from '../../../src/store/copying/copy-store.js';
import { openStore } from '../../../src/store/open.js';
import { allSeries, importVintages, readRows } from '../conformance/sample-data.js';
import { runSql } from '../duckdb/run-sql.js';

it('copies every vintage under its handle, also one that repeats an older one which came later', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'copy-'));
  try {
    const [from, to] = [join(folder, 'from.duckdb'), join(folder, 'to.duckdb')];
    const source = await openStore(from);
    await importVintages(source, [{ day: 1, value: 7, available: 10 }]);
    await importVintages(source, [
      { of: { metric_id: 2, region_id: 10 }, day: 1, value: 3 },
      { of: { region_id: 10 }, day: 1, value: 2 },
      { day: 1, value: 7, available: 5 },
      { day: 1, value: 8, available: 20 },
    ]);
    const wanted = await readRows(source, { history: 'complete' });
    expect(wanted.map(({ available }) => available)).toEqual([5, 10, 20, 100, 100]);
    await source.close();
    expect(await copyStore(from, to)).toEqual({ series: 3, points: 5 });
    expect(readdirSync(folder).sort()).toEqual(['from.duckdb', 'to.duckdb']);
    const copy = await openStore(to);
    expect(await readRows(copy, { history: 'complete' })).toEqual(wanted);
    expect(await copy.findFaults()).toEqual([]);
    await copy.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** Makes a store one of an earlier version: the views of names are the same, and the tables behind them are others. */
const MAKE_EARLIER = `
  CREATE TABLE old_point AS FROM main.point; CREATE TABLE old_history AS FROM main.point_history;
  DROP VIEW main.point; DROP VIEW main.point_history;
  DROP TABLE packed_point; DROP TABLE packed_history; DROP TABLE point_table;
  ALTER TABLE old_point RENAME TO point; ALTER TABLE old_history RENAME TO point_history;
  ALTER TABLE series DROP COLUMN period_days; ALTER TABLE series DROP COLUMN available_date;
  ALTER TABLE metric DROP COLUMN aliases; DROP TABLE known_batch; DROP TABLE series_unit;
  ${['data', 'history', 'series', 'regions', 'units', 'sources']
    .map((view) => `CREATE TABLE old_${view}_rows AS FROM by_name.${view};`)
    .join(' ')}
  ${['data', 'history', 'series', 'regions', 'units', 'sources']
    .map((view) => `CREATE OR REPLACE VIEW by_name.${view} AS FROM main.old_${view}_rows;`)
    .join(' ')}
  DROP TABLE unit; DROP TABLE source;
  ALTER TABLE meta DROP COLUMN table_points; UPDATE meta SET schema_version = 7`;

it('copies a store of the version before with all vintages, dates, names and imports', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'copy-'));
  try {
    const [from, to] = [join(folder, 'from.duckdb'), join(folder, 'to.duckdb')];
    const contentOf = async (path: string) => {
      const store = await openStore(path, { readOnly: true });
      const content = [
        await readRows(store, { history: 'complete' }),
        (await allSeries(store)).map(({ common: _, handle: __, ...series }) => series),
        ...(await Promise.all(
          (['metrics', 'items', 'units', 'sources', 'regions', 'frequencies'] as const).map((type) =>
            store.lookup(type, null),
          ),
        )),
        await store.sourceImports(),
        await store.findFaults(),
      ];
      await store.close();
      return content;
    };
    const source = await openStore(from);
    await importVintages(source, [{ day: 1, value: 7, available: 10 }]);
    await importVintages(source, [
      { of: { metric_id: 2, region_id: 10 }, day: 1, value: null },
      { of: { region_id: 10 }, day: 1, value: 0.1 + 0.2 },
      { day: 1, value: 7, available: 5 },
      { day: 1, value: 8, available: 20 },
      { day: 2, value: 8, available: 20 },
    ]);
    await source.close();
    const wanted = await contentOf(from);
    await runSql(from, MAKE_EARLIER);
    await expect(openStore(from)).rejects.toThrow(/schema version 7, .* "cropframe store copy"/);
    expect(await copyStore(from, to)).toEqual({ series: 3, points: 6 });
    expect(await contentOf(to)).toEqual(wanted);
    expect(readdirSync(folder).sort()).toEqual(['from.duckdb', 'to.duckdb']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('says of a store without views of names that it cannot be copied, and reads no file by the views of another', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'copy-'));
  try {
    const [from, to] = [join(folder, 'from.duckdb'), join(folder, 'to.duckdb')];
    const source = await openStore(from);
    await importVintages(source, [{ day: 1, value: 7 }]);
    await source.close();
    await runSql(from, 'UPDATE meta SET schema_version = 1');
    await runSql(from, `CREATE OR REPLACE VIEW by_name.sources AS FROM read_csv('/etc/passwd')`);
    await expect(copyStore(from, to)).rejects.toThrow(/disabled by configuration/);
    await runSql(from, 'DROP SCHEMA by_name CASCADE');
    await expect(copyStore(from, to)).rejects.toThrow(/is too old to be copied/);
    expect(readdirSync(folder)).toEqual(['from.duckdb']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
