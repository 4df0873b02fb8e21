import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fromParquet } from '../../../src/frame/formats/parquet/parquet.js';
import { openStore } from '../../../src/store/open.js';
import { runCommand } from '../capture.js';
import { demoStore } from '../stores.js';

const { folder, store } = demoStore();
const sql = (query: string, ...options: readonly string[]) =>
  runCommand(['sql', query, '--store', store, ...options]);

describe('sql', () => {
  it('answers by names', async () => {
    const { code, stdout, stderr } = await sql(
      `SELECT region, count(*) AS days, round(max(convert(value, unit, '°F')), 2) AS hottest FROM data
      WHERE item = 'Temperature max' AND region LIKE 'Seattle%' GROUP BY ALL`,
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [head, row] = stdout.trimEnd().split('\r\n');
    expect(head).toBe('region,days,hottest');
    expect(row).toMatch(/^Seattle weather station,1461,96\.08$/);
  });

  it('writes any format, and reads the query from standard input', async () => {
    const file = join(folder, 'points.parquet');
    const input = 'SELECT item, sum(points)::BIGINT AS points FROM series GROUP BY ALL ORDER BY ALL';
    const { code, stdout } = await runCommand(['sql', '--store', store, '--out', file], { input });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    const table = await fromParquet(readFileSync(file));
    expect(table.schema.fields.map(({ name }) => name)).toEqual(['item', 'points']);
    expect(table.get(0)?.toJSON()).toEqual({ item: 'Corn', points: 40n });
  });

  it('asks a store that is served read-only by another process', async () => {
    const script = `const { openSqlStore } = await import('./src/store/duckdb/ask.ts');
      const asked = await openSqlStore(process.argv[1]);
      await asked.ask('SELECT 1 FROM data LIMIT 1', async (result) => console.log((await result.getRows()).length));
      await asked.close();`;
    const served = await openStore(store, { readOnly: true });
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '-e', script, store],
      { encoding: 'utf8' },
    );
    await served.close();
    expect({ stdout, stderr }).toEqual({ stdout: '1\n', stderr: '' });
  });

  it.each([
    ['FROM nothing', 'nothing does not exist'],
    ['DROP VIEW data', 'read-only'],
    ['CREATE TABLE mine AS SELECT 1', 'read-only'],
    ["COPY data TO 'stolen.csv'", 'disabled by configuration'],
    ["FROM read_text('package.json')", 'disabled by configuration'],
    ["FROM 'package.json'", 'disabled by configuration'],
    ["ATTACH 'other.duckdb'", 'disabled by configuration'],
    ['INSTALL spatial', 'disabled by configuration'],
    ['SET enable_external_access = true', 'Cannot'],
  ])('refuses %s', async (query, reason) => {
    const { code, stderr } = await sql(query);
    expect(code).toBe(2);
    expect(stderr).toContain(reason);
    expect(existsSync('stolen.csv')).toBe(false);
  });

  it('needs a query where there is no terminal, and a file', async () => {
    expect((await runCommand(['sql', '--store', store], { input: ' ' })).stderr).toContain(
      'there is no query',
    );
    expect((await sql('SELECT 1', '--store', join(folder, 'none.duckdb'))).stderr).toContain(
      'there is no store',
    );
    expect((await sql('SELECT 1', '--store', 'clickhouse://ch1/farm')).stderr).toContain(
      'cropframe store copy clickhouse://ch1/farm farm.duckdb',
    );
  });
});
