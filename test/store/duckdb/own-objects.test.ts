import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { restoreStore, sealBackup } from '../../../src/store/duckdb/backup/backup.js';
import { openStore } from '../../../src/store/open.js';
import { importVintages, readRows } from '../conformance/sample-data.js';
import { createDividedStore } from './divided-store.js';
import { runSql } from './run-sql.js';

const folder = mkdtempSync(join(tmpdir(), 'foreign-'));
const [secret, store, backup] = ['secret.csv', 'farm.db', 'farm.backup'].map((name) =>
  join(folder, name),
) as [string, string, string];
afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(async () => {
  writeFileSync(secret, 'name\nof somebody else\n');
  const opened = await openStore(store);
  await importVintages(opened, [{ day: 0, value: 1 }]);
  await opened.backup(backup);
  await opened.close();
});

const READS = `SELECT * FROM read_text('${secret}')`;

describe.each([
  [
    'a view in the place of a table',
    `ALTER TABLE unit RENAME TO units; CREATE VIEW unit AS ${READS}`,
    'main.unit',
  ],
  ['another view of points', `CREATE OR REPLACE VIEW point AS FROM packed_point, (${READS})`, 'main.point'],
  ['another view by name', `CREATE OR REPLACE VIEW by_name.units AS ${READS}`, 'by_name.units'],
  ['a view of a schema of its own', `CREATE SCHEMA other; CREATE VIEW other.x AS ${READS}`, 'other'],
  ['a macro in the place of a function', 'CREATE MACRO epoch_ms(x) AS 1', 'main.epoch_ms'],
  [
    'a query as the name of a table',
    `UPDATE point_table SET name = 'packed_point, (${READS.replaceAll("'", "''")})'`,
    '',
  ],
])('a store of somebody else with %s', (title, sql, name) => {
  const [strange, copy] = [join(folder, `${title}.db`), join(folder, `${title}.backup`)];
  beforeAll(async () => {
    copyFileSync(store, strange);
    copyFileSync(backup, copy);
    for (const path of [strange, copy]) await runSql(path, sql);
    await sealBackup(copy, { takenMs: 0, points: 1 }, {});
  });

  it.each([true, false])('is not opened: readOnly %s', async (readOnly) => {
    await expect(openStore(strange, { readOnly })).rejects.toThrow(`"${name}`);
    await expect(openStore(strange, { readOnly })).rejects.toThrow('cropframe did not make');
  });

  it('is not restored, whatever checksum it has', async () => {
    const target = join(folder, `${title}.restored`);
    await expect(restoreStore(copy, target)).rejects.toThrow('cropframe did not make');
    expect(existsSync(target)).toBe(false);
  });
});

it('opens, backs up and restores a store of several tables of points', async () => {
  const [path, copy, restored] = ['divided.db', 'divided.backup', 'restored.db'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  await createDividedStore(path, 1);
  const vintages = [1, 2, 3].flatMap((item_id) =>
    [0, 1].map((day) => ({ of: { item_id }, day, value: day })),
  );
  for (const item_id of [1, 2, 3]) {
    const opened = await openStore(path);
    await importVintages(
      opened,
      vintages.filter(({ of }) => of.item_id === item_id),
    );
    await opened.close();
  }
  const opened = await openStore(path, { readOnly: true });
  await opened.backup(copy);
  await opened.close();
  await restoreStore(copy, restored);
  for (const each of [path, restored]) {
    const again = await openStore(each);
    expect((await readRows(again)).map(({ value }) => value)).toEqual([0, 1, 0, 1, 0, 1]);
    await again.close();
  }
});
