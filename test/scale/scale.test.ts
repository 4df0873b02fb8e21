import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createClient } from '../../src/create-client.js';
import { readColumn } from '../../src/frame/table/columns.js';
import { DAY_MS } from '../../src/model/time.js';
import { type CommandProcess, startCommand } from '../cli/process.js';
import { collect } from '../sequences.js';

const STATIONS = 1_150;
const DAYS = 7_305;
const FIRST_DAY = Date.UTC(2000, 0, 1);
const ROWS = 2 * STATIONS * DAYS;
/** Stations whose series one frame gets. */
const ASKED = 40;

const MIB = 2 ** 20;
/** A file of 37 million rows took 1,570 MB. */
const MAX_IMPORT_BYTES = 1_600 * MIB;
const MAX_SERVICE_BYTES = 1_000 * MIB;

const folder = mkdtempSync(join(tmpdir(), 'cropframe-scale-'));
const running: CommandProcess[] = [];
afterAll(() => {
  for (const { child } of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});
const [store, table, list] = ['farm.duckdb', 'daily.csv', 'ghcnd-stations.txt'].map((name) =>
  join(folder, name),
) as [string, string, string];

const idOf = (station: number) => `USW${String(station).padStart(8, '0')}`;
const nameOf = (station: number) => `FIELD ${1000 + station}`;
/** Tenths of a degree. */
const tenths = (station: number, day: number) => ((station * 7 + day * 31) % 400) - 100;

/** About 600 MB of rows as NOAA's files by year have them, and the stations. */
function writeFiles(): void {
  const file = openSync(table, 'w');
  for (let day = 0; day < DAYS; day++) {
    const date = new Date(FIRST_DAY + day * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '');
    const rows: string[] = [];
    for (let station = 0; station < STATIONS; station++) {
      const low = tenths(station, day);
      rows.push(
        `${idOf(station)},${date},TMAX,${low + 90},,,W,\n${idOf(station)},${date},TMIN,${low},,,W,\n`,
      );
    }
    writeSync(file, rows.join(''));
  }
  closeSync(file);
  const line = (station: number) =>
    `${idOf(station)}  42.${String(station).padStart(4, '0')}  -93.8000  300.0 IA ${nameOf(station)}`;
  writeFileSync(list, Array.from({ length: STATIONS }, (_, station) => line(station)).join('\n'));
}

/** The most memory that a process has had: where Linux says it, else none. */
function peakBytes({ child }: CommandProcess): number {
  try {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

function start(...argv: string[]): CommandProcess {
  const command = startCommand(argv);
  running.push(command);
  return command;
}

describe(`a file of ${ROWS.toLocaleString('en-US')} rows`, () => {
  it('is imported whole in bounded memory', async () => {
    writeFiles();
    const importing = start('import', 'ghcnd', table, list, '--store', store, '--json');
    let peak = 0;
    const watch = setInterval(() => {
      peak = Math.max(peak, peakBytes(importing));
    }, 200);
    const code = await importing.ended().finally(() => clearInterval(watch));
    const { stdout, stderr } = importing.said();
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ rows: ROWS, added: ROWS, series: 2 * STATIONS });
    console.log(`peak of the import: ${Math.round(peak / MIB)} MiB`);
    expect(peak).toBeLessThan(MAX_IMPORT_BYTES);
  });

  it('is served in bounded memory, with every figure as it was', async () => {
    const serving = start('serve', '--store', store, '--port', '0', '--no-auth');
    const [api_host] = await serving.until(/http:\/\/[\d.:]+/);
    const client = createClient({ api_host, access_token: 'any' });
    for (let station = 0; station < ASKED; station++) {
      const found = await collect(
        client.findDataSeries({ metric: 'Temperature', item: 'Temperature min', region: nameOf(station) }),
      );
      const named = found.filter(({ region_name }) => region_name?.startsWith(nameOf(station)));
      expect(named.length, nameOf(station)).toBeGreaterThan(0);
      client.addSingleDataSeries(named[0]!);
    }
    const frame = await client.getDf();
    expect(frame.numRows).toBe(ASKED * DAYS);
    const sum = readColumn(frame, 'value', 'float64').values.reduce((total, value) => total + value, 0);
    let expected = 0;
    for (let station = 0; station < ASKED; station++)
      for (let day = 0; day < DAYS; day++) expected += tenths(station, day) / 10;
    expect(sum).toBeCloseTo(expected, 3);
    const peak = peakBytes(serving);
    console.log(`peak of the service: ${Math.round(peak / MIB)} MiB`);
    expect(peak).toBeLessThan(MAX_SERVICE_BYTES);
  });
});
