import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { restoreStore } from '../../../src/store/duckdb/backup/backup.js';
import { openStore, openStoreToAsk } from '../../../src/store/open.js';
import { temporaryFolder } from '../../temporary-files.js';
import { allSeries, importVintages, readRows } from '../conformance/sample-data.js';
import { runSql } from './run-sql.js';

const folder = temporaryFolder();
const [secret, store] = ['secret.csv', 'farm.db'].map((name) => join(folder, name)) as [string, string];
beforeAll(async () => {
  writeFileSync(secret, 'name\nof somebody else\n');
  const opened = await openStore(store);
  await importVintages(opened, [{ day: 0, value: 1 }]);
  await opened.close();
});

const READS = `SELECT * FROM read_text('${secret}')`;

it('a store of somebody else is used without its views and macros', async () => {
  const strange = join(folder, 'views.db');
  copyFileSync(store, strange);
  for (const sql of [
    `CREATE OR REPLACE VIEW point AS FROM packed_point, (${READS})`,
    `CREATE OR REPLACE VIEW by_name.units AS ${READS}`,
    `CREATE SCHEMA other; CREATE VIEW other.unit AS ${READS}`,
    ...['epoch_ms', 'count'].map((name) => `CREATE MACRO ${name}(x) AS (${READS.replace('*', 'content')})`),
  ])
    await runSql(strange, sql);
  for (const open of [openStore, openStoreToAsk]) {
    const opened = await open(strange);
    await importVintages(opened, [{ day: 0, value: 2, available: 200 }]);
    expect((await readRows(opened, { history: 'complete' })).map(({ value }) => value)).toEqual([1, 2]);
    expect((await readRows(opened, { series: await allSeries(opened) })).map(({ value }) => value)).toEqual([
      2,
    ]);
    expect(await opened.lookup('units', [1])).toHaveLength(1);
    expect(await opened.findFaults()).toEqual([]);
    await opened.backup(`${strange}.${open.name}`);
    await opened.close();
  }
});

describe('a store of somebody else with a view in the place of a table', () => {
  const [strange, target] = ['strange.db', 'restored.db'].map((name) => join(folder, name)) as [
    string,
    string,
  ];
  beforeAll(async () => {
    copyFileSync(store, strange);
    await runSql(strange, `ALTER TABLE unit RENAME TO units; CREATE VIEW unit AS ${READS}`);
  });

  it.each([true, false])('is not opened: readOnly %s', async (readOnly) => {
    await expect(openStore(strange, { read_only: readOnly })).rejects.toThrow('has no table unit');
  });

  it('is not restored', async () => {
    await expect(restoreStore(strange, target)).rejects.toThrow('has no table unit');
    expect(existsSync(target)).toBe(false);
  });
});
