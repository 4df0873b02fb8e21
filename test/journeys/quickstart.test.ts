import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import { tableFromIPC } from 'apache-arrow';
import { beforeAll, describe, expect, it } from 'vitest';
import { fromCsv } from '../../src/frame/formats/read-csv.js';
import { frame } from '../../src/frame/frame.js';
import { openStore } from '../../src/store/open.js';
import { someOf } from '../endurance.js';
import { temporaryFolder } from '../temporary-files.js';

const SCRIPT = fileURLToPath(new URL('../../notebooks/quickstart.ts', import.meta.url));
const TSX = import.meta.resolve('tsx');
/** The figures are those of any other. */
const ZONE = 'Pacific/Auckland';

const root = temporaryFolder();
const emptyFolder = () => mkdtempSync(join(root, 'run-'));

interface Run {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly progress: string;
}

function runQuickstart(cwd: string, options: { json?: boolean; interruptAt?: RegExp } = {}): Promise<Run> {
  const child = spawn(process.execPath, ['--import', TSX, SCRIPT, ...(options.json ? ['--json'] : [])], {
    cwd,
    env: { ...process.env, TZ: ZONE },
  });
  let out = '';
  let progress = '';
  let interrupted = false;
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    progress += chunk;
    if (interrupted || !options.interruptAt?.test(progress)) return;
    interrupted = true;
    child.kill('SIGINT');
  });
  return new Promise((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, out, progress }));
  });
}

interface Results {
  growing_degree_days: {
    region_name: string;
    start_date: string;
    total: number;
    coverage: number;
    source_name: string;
  }[];
  weights: { region_name: string; weight: number; source_name: string }[];
  corn_yield: { start_date: string; value: number }[];
  corn_weighted_temperature: { value: number }[];
  frames: Record<string, { retrieved_at?: unknown }>;
  files: string[];
}

/** Mean of Tmin and Tmax capped at 30 °C above 10 °C, 1 May to 30 September; NOAA daily weather, by vega-datasets. */
const DEGREE_DAYS: Record<string, Record<number, number>> = {
  'Seattle weather station': { 2012: 998.65, 2013: 1265.1, 2014: 1262.85, 2015: 1314.7 },
  'New York City weather station': { 2012: 1854.65, 2013: 1718.25, 2014: 1757.85, 2015: 1962 },
};

/** USDA NASS, corn for grain: acres harvested and bushels an acre 2002 to 2011 (agridat, nass.corn). */
const NEW_YORK = {
  acres: [460, 440, 500, 460, 480, 550, 640, 595, 590, 620],
  yields: [97, 121, 122, 124, 129, 128, 144, 134, 150, 133],
};
const WASHINGTON = {
  acres: [70, 70, 105, 80, 75, 115, 90, 105, 125, 125],
  yields: [190, 195, 200, 205, 210, 210, 205, 215, 205, 225],
};
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

describe('the quickstart', () => {
  const folder = emptyFolder();
  let results: Results;

  beforeAll(async () => {
    const { code, out, progress } = await runQuickstart(folder, { json: true });
    expect(code, progress).toBe(0);
    expect(progress).toContain('regions');
    results = JSON.parse(out) as Results;
  });

  it('computes the degree days of four seasons at two stations', () => {
    const found = results.growing_degree_days;
    expect(found).toHaveLength(8);
    for (const { region_name, start_date, total, coverage, source_name } of found) {
      const year = Number(start_date.slice(0, 4));
      expect(Math.abs(total - DEGREE_DAYS[region_name]![year]!)).toBeLessThan(1e-6);
      expect(coverage).toBe(1);
      expect(source_name).toContain('NOAA');
    }
  });

  it('weights two states by their mean corn area', () => {
    const total = sum(NEW_YORK.acres) + sum(WASHINGTON.acres);
    const expected = [sum(WASHINGTON.acres) / total, sum(NEW_YORK.acres) / total];
    const { weights } = results;
    expect(weights.map(({ region_name }) => region_name)).toEqual(['Washington', 'New York']);
    for (const [i, { weight, source_name }] of weights.entries()) {
      expect(weight).toBeCloseTo(expected[i]!, 12);
      expect(source_name).toContain('USDA NASS');
    }
    expect(sum(weights.map(({ weight }) => weight))).toBeCloseTo(1, 12);
  });

  it('sums the weighted yields of both states', () => {
    const [washington, newYork] = results.weights.map(({ weight }) => weight);
    const expected = WASHINGTON.yields.map(
      (yielded, i) => yielded * washington! + NEW_YORK.yields[i]! * newYork!,
    );
    const { corn_yield } = results;
    expect(corn_yield.map(({ start_date }) => Number(start_date.slice(0, 4)))).toEqual([
      2002, 2003, 2004, 2005, 2006, 2007, 2008, 2009, 2010, 2011,
    ]);
    for (const [i, { value }] of corn_yield.entries()) expect(value).toBeCloseTo(expected[i]!, 9);
  });

  it('writes a Parquet file that DuckDB reads: UTC timestamps, nulls as nulls, the same values as Arrow and CSV', async () => {
    const output = join(folder, 'quickstart-output');
    const arrow = tableFromIPC(readFileSync(join(output, 'wide.arrow')));
    const rows = frame(arrow).toRows();
    expect(rows).toHaveLength(1461);
    expect(fromCsv(readFileSync(join(output, 'wide.csv'), 'utf8')).toRows()).toEqual(rows);

    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const parquet = `'${join(output, 'wide.parquet')}'`;
    const described = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${parquet}`);
    expect(described.getRowObjects()[0]).toMatchObject({
      column_name: 'end_date',
      column_type: 'TIMESTAMP WITH TIME ZONE',
    });
    const read = await connection.runAndReadAll(
      `SELECT epoch_ms(end_date)::DOUBLE AS ms, COLUMNS(* EXCLUDE end_date) FROM ${parquet}`,
    );
    const names = arrow.schema.fields.map((field) => field.name).slice(1);
    const values = read.getRows().map(([ms, ...others]) => [new Date(Number(ms)), ...others]);
    expect(values).toEqual(rows.map((row) => [row.end_date, ...names.map((name) => row[name])]));
    connection.closeSync();
  });

  it('writes a plot and a page that show the seasons', () => {
    const plot = readFileSync(join(folder, 'quickstart-output/degree-days.svg'), 'utf8');
    expect(plot).toMatch(/^<svg|^<\?xml/);
    expect(plot).toContain('Source: NOAA daily weather');
    for (const year of [2012, 2013, 2014, 2015]) expect(plot).toContain(`Seattle ${year}`);
    expect(readFileSync(join(folder, 'quickstart-output/index.html'), 'utf8')).toContain('<svg');
  });

  it('draws the picture in README', () => {
    const shown = new URL('../../docs/growing-degree-days.svg', import.meta.url);
    const plot = readFileSync(join(folder, 'quickstart-output/degree-days.svg'), 'utf8');
    expect(plot).toBe(readFileSync(shown, 'utf8'));
  });
});

describe('Ctrl-C', () => {
  it.each(someOf([/reading demo/, /fetching/], 1))('during %s leaves a store that opens', async (moment) => {
    const folder = emptyFolder();
    const { signal, out } = await runQuickstart(folder, { interruptAt: moment });
    expect(signal).toBe('SIGINT');
    expect(out).not.toContain('Wrote');
    const path = join(folder, 'cropframe-data/demo.duckdb');
    if (!existsSync(path)) return;
    const store = await openStore(path);
    expect(store.engine).toBe('duckdb');
    await store.close();
  });
});
