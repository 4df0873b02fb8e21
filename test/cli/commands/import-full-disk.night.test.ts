import { copyFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, it } from 'vitest';
import { countRuns, firstSeed, listCounts, someOf, tellFigures, timeLimit } from '../../endurance.js';
import { seededRandom } from '../../journeys/seeded-random.js';
import { noSmallDisk, withSmallDisk } from '../../small-disk.js';
import { type Ending, runCommand, temporaryFolder } from '../capture.js';
import { demoStore } from '../stores.js';

const { store: demo } = demoStore();
const folder = temporaryFolder();
const [file, document] = [join(folder, 'weather.csv'), join(folder, 'document.json')];

const SIZES = countRuns({ quick: 1, all: 20 });
const FIRST_SEED = firstSeed(1);

const STATIONS = 20;
const DAYS = 10_000;
const POINTS = STATIONS * DAYS;
const DEMO_POINTS = 8_908;

/** Figures with all their digits cannot be compressed: their points need more room than is estimated by the text. */
beforeAll(() => {
  const rows: string[] = ['station,day,tmax'];
  let state = 7;
  for (let station = 0; station < STATIONS; station++) {
    for (let day = 0; day < DAYS; day++) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
      rows.push(`S${station},${new Date(day * 864e5).toISOString().slice(0, 10)},${Math.sqrt(state) / 1000}`);
    }
  }
  writeFileSync(file, rows.join('\n'));
  const place = { station: 'station', latitude: 42.03, longitude: -93.8 };
  const values = [{ column: 'tmax', item: { name: 'Temperature max' } }];
  const [metric, unit] = [{ name: 'Temperature' }, { name: '°C' }];
  const start_date = { column: 'day', format: 'YYYY-MM-DD' };
  writeFileSync(
    document,
    JSON.stringify({ source: { name: 'Stations' }, region: place, start_date, metric, unit, values }),
  );
});

interface Outcome extends Ending {
  readonly left: readonly string[];
  /** Counts and sums of all tables, and how many points there are; null without a store. */
  readonly content: string | null;
}

/** Imports on a small disk, and reads on a large one what is there afterwards. */
function importOn(kibibytes: number, before?: string): Promise<Outcome> {
  return withSmallDisk(kibibytes, async (disk) => {
    const store = join(disk, 'farm.duckdb');
    if (before !== undefined) copyFileSync(before, store);
    const ending = await runCommand(['import', document, file, '--store', store]);
    // The index of names may be deleted at any time.
    const left = readdirSync(disk).filter((name) => !name.includes('.search-'));
    for (const name of left) copyFileSync(join(disk, name), join(folder, name));
    const content = left.length === 0 ? null : await contentOf(join(folder, 'farm.duckdb'));
    return { ...ending, left, content };
  });
}

/** The rows of every table, in a form that no order changes. */
async function contentOf(path: string): Promise<string> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(`ATTACH '${path}' AS store`);
  const query = async (sql: string) => (await connection.runAndReadAll(sql)).getRows();
  const names = await query(
    "SELECT table_name FROM duckdb_tables() WHERE database_name = 'store' ORDER BY ALL",
  );
  const rows: string[] = [];
  for (const [name] of names) {
    const [sums] = await query(`SELECT count(*), sum(hash(one)::HUGEINT) FROM store.${name} AS one`);
    rows.push(`${name} ${sums}`);
  }
  await connection.run('DETACH store');
  connection.closeSync();
  instance.closeSync();
  return rows.join('\n');
}

const KIB = 1024;

type Kind = 'rolled back' | 'not tidied' | 'tidied';

const SAID: Readonly<Record<Kind, RegExp>> = {
  'rolled back':
    /^error: .*the disk is full, so (opening|importing \w+|committing an import) failed and nothing was changed; free/,
  'not tidied': /^warning: the import is committed; .*the disk is full.*cropframe store check --store/,
  tidied: /^$/,
};

describe.skipIf(noSmallDisk !== null)(`an import on a full disk (skipped: ${noSmallDisk})`, () => {
  it.each(
    someOf<[place: 'a new store' | 'the demo', kibibytes: number, Kind]>(
      [
        ['a new store', 512, 'rolled back'],
        ['the demo', 3_300, 'not tidied'],
        ['a new store', 40_000, 'tidied'],
        ['the demo', 100, 'rolled back'],
        ['a new store', 13_000, 'not tidied'],
        ['the demo', 8_000, 'tidied'],
        ['a new store', 8_300, 'rolled back'],
        ['the demo', 1_700, 'rolled back'],
      ],
      3,
    ),
  )('into %s, with %d KiB of room, is %s', async (place, room, kind) => {
    const isNew = place === 'a new store';
    const { code, stderr, left, content } = await (isNew
      ? importOn(room)
      : importOn(statSync(demo).size / KIB + room, demo));
    expect(stderr).toMatch(SAID[kind]);
    if (kind === 'rolled back') {
      expect({ code, content }).toEqual({ code: 1, content: isNew ? null : await contentOf(demo) });
      return;
    }
    expect(code).toBe(0);
    expect(content).toMatch(new RegExp(`point ${POINTS + (isNew ? 0 : DEMO_POINTS)},`, 'm'));
    expect(left).toEqual(kind === 'tidied' ? ['farm.duckdb'] : ['farm.duckdb', 'farm.duckdb.wal']);
  });

  it(`of ${SIZES} random sizes leaves all of an import or nothing, and says which`, {
    timeout: timeLimit(180_000),
  }, async () => {
    const random = seededRandom(FIRST_SEED);
    const tally = new Map<string, number>();
    const unchanged = await contentOf(demo);
    for (let i = 0; i < SIZES; i++) {
      const isNew = random() < 0.5;
      const [smallest, largest] = isNew ? [500, 40_000] : [100, 10_000];
      const room = Math.round(smallest! * (largest! / smallest!) ** random());
      const { code, stderr, content } = isNew
        ? await importOn(room)
        : await importOn(statSync(demo).size / KIB + room, demo);
      const kind = (Object.keys(SAID) as Kind[]).find((one) => SAID[one].test(stderr));
      const points = POINTS + (isNew ? 0 : DEMO_POINTS);
      const left =
        content === (isNew ? null : unchanged) ? 'unchanged' : content?.includes(`point ${points},`);
      const place = `seed ${FIRST_SEED}, size ${i}: ${room} KiB${isNew ? '' : ' to spare'}: ${stderr}`;
      expect(kind, place).toBeDefined();
      const failed = kind === 'rolled back';
      expect({ code, left }, place).toEqual(
        failed ? { code: 1, left: 'unchanged' } : { code: 0, left: true },
      );
      tally.set(kind!, (tally.get(kind!) ?? 0) + 1);
    }
    tellFigures(
      `${SIZES} sizes of disks, seed ${FIRST_SEED}: ${listCounts(tally)}; 0 between, 0 that said otherwise`,
    );
  });
});
