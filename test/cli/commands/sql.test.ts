import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../../../src/cli/program.js';
import { fromParquet } from '../../../src/frame/formats/parquet/read-parquet.js';
import { recordingIo, runCommand } from '../capture.js';
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
    expect(table.summary().sources.every(({ licence }) => licence !== '')).toBe(true);
    expect(table.summary().sources.length).toBeGreaterThan(1);
  });

  it('needs a query where there is no terminal, and a file', async () => {
    expect((await runCommand(['sql', '--store', store], { input: ' ' })).stderr).toContain(
      'there is no query',
    );
    expect((await sql('SELECT 1', '--store', join(folder, 'none.duckdb'))).stderr).toContain(
      'there is no store',
    );
  });
});

describe('the prompt', () => {
  /** Types on a terminal, each text when what is awaited has been shown. */
  async function converse(turns: readonly (readonly [shown: RegExp, typed: string])[]) {
    const { io, stdin, stdout, stderr } = recordingIo({ terminal: true });
    const ended = run(['sql', '--store', store], io);
    let from = 0;
    for (const [shown, typed] of turns) {
      await expect.poll(() => stdout.text.slice(from) + stderr.text, { timeout: 20_000 }).toMatch(shown);
      from = stdout.text.length;
      stdin.write(typed);
    }
    return { code: await ended, text: stdout.text, errors: stderr.text };
  }

  it('answers queries of several lines, reports wrong ones, and goes on', async () => {
    const { code, text, errors } = await converse([
      [/sql> /, 'SELECT item, sum(points)::INT AS points\r'],
      [/ {2}-> /, "FROM series WHERE item = 'Corn' GROUP BY ALL;\r"],
      [/Corn\s+│?\s*40/, 'FROM nothing;\r'],
      [/nothing does not exist/, '.exit\r'],
    ]);
    expect(code).toBe(0);
    expect(text).toMatch(/Corn/);
    expect(errors).toContain('nothing does not exist');
  });

  it('completes names with the Tab key, and brings queries back with the arrow keys', async () => {
    const { text } = await converse([
      [/sql> /, 'SELECT 40 + 2 AS answer, count(region_le\t'],
      [/region_level/, ') AS rows FROM regions LIMIT 1;\r'],
      [/42/, '\u001b[A\r'],
      [/42/, '.exit\r'],
    ]);
    expect(text.match(/answer, count\(region_level\)/g)!.length).toBeGreaterThanOrEqual(2);
  });
});
