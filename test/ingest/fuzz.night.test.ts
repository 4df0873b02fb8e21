import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { tableFromArrays } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { frame } from '../../src/frame/frame.js';
import { importDataset } from '../../src/ingest/import-dataset.js';
import { CropframeError } from '../../src/model/errors.js';
import type { ReadPoint } from '../../src/store/store.js';
import { countRuns, firstSeed, tellFigures, timeLimit } from '../endurance.js';
import { temporaryFiles } from '../temporary-files.js';
import { readBatches } from './collect.js';
import { datasetFixtures, importerOfFixture } from './fixtures.js';
import { newStore, storedPoints } from './stores.js';
import { zipped } from './zipped.js';

/** Number of damaged files. */
const RUNS = countRuns({ quick: 16, all: 2000 });
const FIRST_SEED = firstSeed(0);
const STORE_RUNS = Math.max(1, Math.round(RUNS / 100));

const fixture = (name: string): Buffer => readFileSync(join('test/fixtures', name));
const text = (name: string): string => fixture(name).toString();

async function cornParquet(): Promise<Buffer> {
  const states = ['Iowa', 'Ohio', 'Iowa'];
  const columns = {
    year: Int32Array.of(1988, 1988, 1989),
    state: states,
    acres: [1, 2, 3],
    yield: [4, 5, 6],
  };
  return Buffer.from(await frame(tableFromArrays(columns)).toParquet());
}

/** The bulk file as an answer of the API. */
function quickStatsJson(): Buffer {
  const [header, ...rows] = text('nass/quick-stats.tsv').trimEnd().split('\n');
  const names = header!.toLowerCase().split('\t');
  const record = (row: string) => Object.fromEntries(row.split('\t').map((field, i) => [names[i]!, field]));
  return Buffer.from(JSON.stringify({ data: rows.map(record) }));
}

/** A table without quotes that has many more columns, which are not used. */
function wide(table: string): Buffer {
  return Buffer.from(table.replaceAll('"', '').replaceAll('\n', `${'\tx'.repeat(20)}\n`));
}

/** Files of every data set, and more of some formats, with their data set. */
const FORMATS: readonly (readonly [dataset: string, file: string, bytes: Buffer])[] = [
  ...(await datasetFixtures()).map(
    ([dataset, path]) => [dataset, basename(path), readFileSync(path)] as const,
  ),
  ['nass', 'quick-stats.tsv.gz', gzipSync(fixture('nass/quick-stats.tsv'))],
  ['nass', 'answer.json', quickStatsJson()],
  ['faostat', 'bulk-new.zip', zipped({ 'bulk-new.csv': text('faostat/bulk-new.csv') })],
  ['csv', 'corn.tsv', fixture('csv/corn.tsv')],
  ['csv', 'wide.tsv', wide(text('csv/corn.tsv'))],
  ['csv', 'corn.parquet', await cornParquet()],
];

/** Mulberry32: reproducible random numbers. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const NASTY = [
  '"',
  ',',
  '\t',
  '\n',
  '\r\n',
  '\0',
  '-',
  '1e999',
  'NaN',
  '99999999999',
  '<',
  '&',
  '\uFEFF',
  '(D)',
  '0000-00-00',
];

function damaged(bytes: Buffer, random: (below: number) => number): Buffer {
  let result = Buffer.from(bytes);
  for (let times = 1 + random(4); times > 0; times--) {
    const at = random(result.length + 1);
    const span = random(40);
    const kinds = [
      () => result.subarray(0, at),
      () => Buffer.concat([result.subarray(0, at), result.subarray(at + span)]),
      () =>
        Buffer.concat([
          result.subarray(0, at),
          Buffer.from(NASTY[random(NASTY.length)]!),
          result.subarray(at),
        ]),
      () => Buffer.concat([result.subarray(0, at), result.subarray(at, at + span), result.subarray(at)]),
      () => Buffer.from(result.map((byte, i) => (i === at ? random(256) : byte))),
    ];
    result = kinds[random(kinds.length)]!();
  }
  return result;
}

const { file: write } = temporaryFiles();

interface Case {
  readonly dataset: string;
  readonly file: string;
}

function damagedFile(run: number): Case {
  const random = randomNumbers(FIRST_SEED + run);
  const [dataset, name, bytes] = FORMATS[run % FORMATS.length]!;
  return { dataset, file: write(name, damaged(bytes, random)) };
}

/** Checks every row without `expect`, which would take longer than everything else. @throws Error */
function assertSound(points: readonly ReadPoint[]): void {
  for (const [i, point] of points.entries()) {
    const { value, startMs, endMs, unit_id, region_id } = point;
    const sound = Number.isFinite(value ?? 0) && startMs <= endMs && Number.isInteger(unit_id + region_id);
    if (!sound) throw new Error(`point ${i} of a text is unsound`);
  }
}

async function read({ dataset, file }: Case): Promise<'read' | 'refused'> {
  const importer = await importerOfFixture(dataset);
  try {
    for await (const { sampled } of readBatches(importer, { files: [file], importedMs: 0 }))
      if (sampled !== undefined) assertSound(sampled);
    return 'read';
  } catch (error) {
    if (error instanceof CropframeError && error.code === 'ingest' && error.message !== '') return 'refused';
    throw new Error(`${file}: ${String(error)}`, { cause: error });
  }
}

describe('damaged files', () => {
  it(`are read or refused with an IngestError, ${RUNS} of them`, {
    timeout: timeLimit(900_000),
  }, async () => {
    const outcomes = { read: 0, refused: 0 };
    for (let run = 0; run < RUNS; run++) outcomes[await read(damagedFile(run))]++;
    tellFigures(
      `${RUNS} damaged files of ${FORMATS.length} formats, seeds from ${FIRST_SEED}: ${outcomes.read} read, ` +
        `${outcomes.refused} refused by name, 0 other errors`,
    );
    expect(outcomes.read).toBeGreaterThan(RUNS / 10);
    expect(outcomes.refused).toBeGreaterThan(RUNS / 20);
  });

  it(`leave the store unchanged when they are refused, ${STORE_RUNS} of them`, {
    timeout: timeLimit(180_000),
  }, async () => {
    const store = await newStore();
    let refused = 0;
    let before = await storedPoints(store);
    for (let run = 0; refused < STORE_RUNS; run++) {
      const { dataset, file } = damagedFile(run);
      try {
        await importDataset(store, await importerOfFixture(dataset), {
          files: [file],
          maxRejectedShare: 0.2,
        });
        before = await storedPoints(store);
      } catch (error) {
        expect(error).toMatchObject({ code: 'ingest' });
        expect(await storedPoints(store)).toEqual(before);
        refused++;
      }
    }
    tellFigures(`${refused} of them imported until refused: the store was unchanged each time`);
  });
});
