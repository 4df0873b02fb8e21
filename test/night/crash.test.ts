import { spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentImporter } from '../../src/ingest/document/define-dataset.js';
import { importDataset } from '../../src/ingest/import-dataset.js';
import { openStore } from '../../src/store/open.js';
import { countRuns, firstSeed, tellFigures, timeLimit } from '../endurance.js';
import { collidingNumbers } from '../ingest/batch/colliding.js';
import { storedPoints } from '../ingest/stores.js';
import { seededRandom } from '../journeys/seeded-random.js';

const nass = documentImporter('nass');

/** Number of killed imports. */
const KILLS = countRuns({ quick: 1, all: 20 });
const FIRST_SEED = firstSeed(1);
const YEARS = 20;

const folder = mkdtempSync(join(tmpdir(), 'cropframe-crash-'));
const template = join(folder, 'template');
const file = join(folder, 'qs.txt');
const earlier = join(folder, 'earlier.txt');
let before: string[];
let after: string[];
let durationMs: number;

async function pointsOf(location: string): Promise<string[]> {
  const store = await openStore(location);
  try {
    return await storedPoints(store);
  } finally {
    await store.close();
  }
}

const variety = (number: number): string => `CORN, VARIETY ${number}`;
const [EARLIER, LATER] = collidingNumbers((number) => `nass:item:${variety(number)}`);

/**
 * Writes two files: `earlier` with one item, and `file` with the fixture's county row for every county code of Iowa and
 * many years, and an item whose name collides with the earlier one.
 */
function writeQuickStats(): void {
  const [header, ...rows] = readFileSync('test/fixtures/nass/quick-stats.tsv', 'utf8').split('\n');
  const columns = header!.split('\t');
  const county = rows[6]!.split('\t');
  const lines = [header!];
  for (let year = 2020; year > 2020 - YEARS; year--) {
    for (let code = 1; code <= 197; code += 2) {
      const fields = [...county];
      fields[columns.indexOf('COUNTY_CODE')] = String(code);
      fields[columns.indexOf('YEAR')] = String(year);
      fields[columns.indexOf('VALUE')] = (code * year).toLocaleString('en-US');
      lines.push(fields.join('\t'));
    }
  }
  const rowOf = (number: number): string => {
    const fields = [...county];
    fields[columns.indexOf('SHORT_DESC')] = `${variety(number)} - ACRES HARVESTED`;
    return fields.join('\t');
  };
  writeFileSync(file, [...lines, rowOf(LATER)].join('\n'));
  writeFileSync(earlier, [header!, rowOf(EARLIER)].join('\n'));
}

/** Kills an import after a delay. Resolves to "killed", or to "done" when the import ended before. */
function importKilledAfter(location: string, delayMs: number): Promise<{ outcome: string; ms: number }> {
  return new Promise((resolve, reject) => {
    const script = 'test/ingest/killed-import.ts';
    const child = spawn(process.execPath, ['--import', 'tsx', script, location, file], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let errors = '';
    let startedMs = 0;
    child.stderr.on('data', (text) => {
      errors += text;
    });
    child.stdout.on('data', (text) => {
      output += text;
      if (startedMs > 0 || !output.includes('started')) return;
      startedMs = performance.now();
      if (Number.isFinite(delayMs)) setTimeout(() => child.kill('SIGKILL'), delayMs);
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      const ms = performance.now() - startedMs;
      if (output.includes('done') && code === 0) resolve({ outcome: 'done', ms });
      else if (signal === 'SIGKILL') resolve({ outcome: 'killed', ms });
      else reject(new Error(`the import failed: ${errors}`));
    });
  });
}

beforeAll(async () => {
  writeQuickStats();
  const store = await openStore(template);
  await importDataset(store, documentImporter('demo'), { importedMs: Date.UTC(2026, 0, 2) });
  await importDataset(store, nass, { files: [earlier] });
  before = await storedPoints(store);
  await store.close();
  const whole = join(folder, 'whole');
  copyFileSync(template, whole);
  durationMs = (await importKilledAfter(whole, Number.POSITIVE_INFINITY)).ms;
  after = await pointsOf(whole);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('an import that is killed', () => {
  it('adds its points to those of the store when it is not', () => {
    expect(after.length).toBe(before.length + YEARS * 99 + 1);
    expect(after).toEqual(expect.arrayContaining(before));
  });

  it(`leaves the store unchanged and can be repeated, ${KILLS} times`, {
    timeout: timeLimit(600_000),
  }, async () => {
    const random = seededRandom(FIRST_SEED);
    const tally = { before: 0, after: 0, done: 0 };
    for (let kill = 0; kill < KILLS; kill++) {
      const location = join(folder, `killed-${kill}`);
      copyFileSync(template, location);
      const delayMs = random() * durationMs;
      const { outcome } = await importKilledAfter(location, delayMs);
      const found = await pointsOf(location);
      // The process can be killed between the commit and its end.
      const committed = outcome === 'done' || found.length === after.length;
      tally[outcome === 'done' ? 'done' : committed ? 'after' : 'before']++;
      expect({ delayMs, found }).toEqual({ delayMs, found: committed ? after : before });
      const store = await openStore(location);
      await importDataset(store, nass, { files: [file] });
      expect(await storedPoints(store)).toEqual(after);
      await store.close();
      rmSync(location);
    }
    tellFigures(
      `${KILLS} imports to kill, seed ${FIRST_SEED}: ${tally.before} left the store as before, ${tally.after} had committed, ` +
        `${tally.done} ended first; 0 between, and each could be repeated`,
    );
  });
});
