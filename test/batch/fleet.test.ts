import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fromParquet } from '../../src/index.js';
import { exactRows } from '../frame/exact-rows.js';
import {
  csvRows,
  dayHeat,
  importTable,
  outputOf,
  ROOT,
  scriptArguments,
  temporaryFolder,
} from './scripts.js';

const REGIONS = 3000;
const { folder, remove } = temporaryFolder();
const store = join(folder, 'counties.duckdb');

beforeAll(() => {
  outputOf('made-up-data', folder, '2012', '2012', String(REGIONS));
  importTable(store, join(folder, 'weather.csv'), join(folder, 'weather.json'));
});
afterAll(remove);

const finished = (parts: string) =>
  existsSync(parts) ? readdirSync(parts).filter((name) => name.endsWith('.arrow')) : [];

/** Starts the fleet and kills it when some of its batches are done. */
async function killHalfWay(out: string): Promise<number> {
  const parts = join(out, 'degree-days.parts');
  const child = spawn(process.execPath, scriptArguments('fleet-degree-days', store, out), {
    cwd: ROOT,
    stdio: 'ignore',
  });
  const ended = new Promise<NodeJS.Signals | null>((resolve) =>
    child.once('exit', (_, signal) => resolve(signal)),
  );
  while (finished(parts).length < 12 && child.exitCode === null) await wait(5);
  child.kill('SIGKILL');
  expect(await ended).toBe('SIGKILL');
  return finished(parts).length;
}

it('gives the same file after a kill half way as without one, with the totals of plain sums', async () => {
  const [killed, whole] = [join(folder, 'killed'), join(folder, 'whole')];
  const done = await killHalfWay(killed);
  expect(done).toBeGreaterThanOrEqual(12);
  expect(done).toBeLessThan(30);
  expect(existsSync(join(killed, 'degree-days.parquet'))).toBe(false);
  expect(outputOf('fleet-degree-days', store, killed)).toContain(
    `3000 regions in 30 batches; ${done} were finished before`,
  );
  expect(outputOf('fleet-degree-days', store, whole)).toContain('; 0 were finished before');
  const [resumed, undisturbed] = [killed, whole].map((out) => readFileSync(join(out, 'degree-days.parquet')));
  expect(resumed!.equals(undisturbed!)).toBe(true);
  expect(readdirSync(killed)).toEqual(['degree-days.parquet']);

  const sums = new Map<string, number>();
  for (const row of csvRows(join(folder, 'weather.csv')))
    sums.set(row.place!, (sums.get(row.place!) ?? 0) + dayHeat(row));
  const rows = exactRows(await fromParquet(resumed!));
  expect(new Set(rows.map(({ region_id }) => region_id)).size).toBe(REGIONS);
  const ascending = (values: Iterable<unknown>) => [...values].map(Number).sort((a, b) => a - b);
  const [totals, expected] = [ascending(rows.map(({ total }) => total)), ascending(sums.values())];
  expect(totals).toHaveLength(REGIONS);
  totals.forEach((total, at) => {
    expect(total).toBeCloseTo(expected[at]!, 6);
  });
});
