import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, it } from 'vitest';
import { Interruption } from '../../../src/cli/terminal/exit-codes.js';
import { runCommand, temporaryFolder } from '../capture.js';
import { startCommand } from '../process.js';

const folder = temporaryFolder();
const store = join(folder, 'farm.duckdb');
const check = (...more: string[]) => runCommand(['store', 'check', '--store', store, ...more]);

async function runSql(...statements: readonly string[]): Promise<void> {
  const instance = await DuckDBInstance.create(store);
  const connection = await instance.connect();
  for (const sql of statements) await connection.run(sql);
  connection.closeSync();
  instance.closeSync();
}

async function importCanola(year: number): Promise<string> {
  const file = join(folder, `${year}.csv`);
  const header =
    'Program,Year,Period,Week Ending,Geo Level,State,State ANSI,Ag District,Ag District Code,County,County ANSI,' +
    'Zip Code,Region,watershed_code,Watershed,Commodity,Data Item,Domain,Domain Category,Value,CV (%)';
  const row = (item: string, value: string): string =>
    `SURVEY,${year},YEAR,,NATIONAL,US TOTAL,,,,,,,,00000000,,CANOLA,${item} - ACRES HARVESTED,TOTAL,NOT SPECIFIED,"${value}",`;
  writeFileSync(file, [header, row('CANOLA', '1,498,000'), row('RAPESEED', '3,900')].join('\n'));
  const ending = await runCommand(['import', 'nass', file, '--store', store]);
  if (ending.code !== 0) throw new Error(ending.stderr);
  return ending.stdout + ending.stderr;
}

beforeAll(async () => {
  await importCanola(2000);
});

describe('store check', () => {
  it('lists the sources of a store, and finds nothing wrong in a new one', async () => {
    const { code, stdout, stderr } = await check();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/USDA NASS Survey\s+nass\s+\d{4}-\d\d-\d\d\s+2\s+2/);
    expect(JSON.parse((await check('--json')).stdout)).toMatchObject({
      sources: [{ source_id: 1, dataset: 'nass', series: 2, points: 2 }],
      faults: [],
    });
  });

  it('finds what contradicts itself', async () => {
    await runSql(
      'DELETE FROM item WHERE id = 143',
      'UPDATE series SET point_count = 7 WHERE item_id = 123',
      'INSERT INTO packed_point SELECT * REPLACE (999 AS series, -400 AS days) FROM packed_point LIMIT 1',
    );
    const { code, stdout } = await check('--json');
    expect(code).toBe(1);
    expect((JSON.parse(stdout) as { faults: string[] }).faults.sort()).toEqual([
      'a series has item_id 143, but there is no item 143',
      expect.stringMatching(/^series \d+ should have 7 points, but has 1$/),
      'series 999 does not exist, but has 1 point',
    ]);
  });

  it('folds what a crash left in the log', async () => {
    const own = join(folder, 'crashed.duckdb');
    const script = `
      const { DuckDBInstance } = require('@duckdb/node-api');
      DuckDBInstance.create(':memory:').then((instance) => instance.connect()).then(async (connection) => {
        await connection.run("ATTACH '${own}' AS store");
        await connection.run("UPDATE store.main.source SET name = 'Renamed'");
        process.kill(process.pid, 'SIGKILL');
      });`;
    copyFileSync(store, own);
    spawnSync(process.execPath, ['-e', script]);
    expect(existsSync(`${own}.wal`)).toBe(true);
    const { stdout } = await runCommand(['store', 'check', '--store', own]);
    expect(stdout).toContain('Renamed');
    expect(existsSync(`${own}.wal`)).toBe(false);
  });
});

describe('store backup and store restore', () => {
  const backup = join(folder, 'backup.duckdb');

  it('back up a store that a service serves, and put the backup in its place', async () => {
    const service = startCommand(['serve', '--store', store, '--no-auth', '--port', '0']);
    try {
      await service.until(/listening on/);
      const made = await runCommand(['store', 'backup', store, backup]);
      expect(made).toMatchObject({ code: 0, stderr: '' });
      expect(made.stdout).toMatch(
        /^backed up .* to .*: [\d,]+ points as of \d{4}-\d\d-\d\d \d\d:\d\d UTC\n$/,
      );
      const restored = await runCommand(['store', 'restore', backup, store, '--replace', '--json']);
      expect(JSON.parse(restored.stdout)).toEqual({ store, backup, points: expect.any(Number) });
    } finally {
      service.child.kill('SIGTERM');
      await service.ended();
    }
  });

  it('say what is wrong, and exit with 1', async () => {
    const again = await runCommand(['store', 'backup', store, backup]);
    expect(again).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('already exists; specify a different'),
    });
    const onto = await runCommand(['store', 'restore', backup, store]);
    expect(onto).toMatchObject({ code: 1, stderr: expect.stringContaining('replace it with --replace') });
    const none = await runCommand(['store', 'restore', join(folder, 'none'), join(folder, 'new.duckdb')]);
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('there is no backup at') });
    const bytes = readFileSync(backup);
    bytes[bytes.length >> 1]! ^= 4;
    writeFileSync(backup, bytes);
    const damaged = await runCommand(['store', 'restore', backup, store, '--replace']);
    expect(damaged).toMatchObject({ code: 1, stderr: expect.stringContaining(`${backup} is damaged`) });
    const found = await runCommand(['store', 'check', '--store', backup]);
    expect(found).toMatchObject({ code: 1, stderr: expect.stringContaining('is damaged') });
  });

  it('end on Ctrl-C, and leave nothing', async () => {
    const to = join(folder, 'stopped.duckdb');
    const signal = AbortSignal.abort(new Interruption('SIGINT'));
    const ending = await runCommand(['store', 'backup', store, to], { signal });
    expect(ending).toEqual({ code: 130, stdout: '', stderr: `interrupted; ${to} was not written\n` });
    expect(readdirSync(folder).filter((name) => name.startsWith('stopped'))).toEqual([]);
  });
});
