import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { run } from '../../../src/cli/program.js';
import { Interruption } from '../../../src/cli/terminal/exit-codes.js';
import { DATASETS } from '../../../src/ingest/datasets.js';
import { openStore } from '../../../src/store/open.js';
import { storedPoints } from '../../ingest/stores.js';
import { copyRegionStore } from '../../store-templates.js';
import { recordingIo, runCommand, temporaryFolder, until, words } from '../capture.js';

const DOCUMENT = 'test/fixtures/csv/corn.json';
const BULK = 'test/fixtures/nass/quick-stats.tsv';
const folder = temporaryFolder();
const demoStore = join(folder, 'demo.duckdb');

describe('import', () => {
  it('imports a data set, and changes nothing when importing it again', async () => {
    const first = await runCommand(['import', 'demo', '--store', demoStore, '--json']);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    const counts = JSON.parse(first.stdout);
    expect(counts).toMatchObject({
      dataset: 'demo',
      series: 12,
      rejectedRows: 0,
      rejects_file: null,
      store: demoStore,
    });
    expect(counts.added).toBe(counts.rows);
    const again = await runCommand(['import', 'demo', '--store', demoStore]);
    expect(again.code).toBe(0);
    expect(again.stdout).toMatch(/added +0\n/);
    expect(again.stdout).toContain(counts.rows.toLocaleString('en-US'));
  });

  it('writes rejected rows and their reasons to a file', async () => {
    const [store, rejects] = [join(folder, 'nass.duckdb'), join(folder, 'left-out.csv')];
    await copyRegionStore(store);
    const argv = words`import nass ${BULK} --store ${store} --rejects ${rejects} --json`;
    const { code, stdout, stderr } = await runCommand([...argv, '--max-rejects', '100']);
    expect(code).toBe(0);
    const { rejectedRows, rejects_file } = JSON.parse(stdout);
    expect(rejectedRows).toBeGreaterThan(0);
    expect(rejects_file).toBe(rejects);
    expect(stderr).toBe('');
    const lines = readFileSync(rejects, 'utf8').trimEnd().split('\r\n');
    expect(lines[0]).toBe('file,line,reason,text');
    expect(lines).toHaveLength(rejectedRows + 1);
    expect(lines[1]).toMatch(/^quick-stats\.tsv,\d+,/);
  });

  it('never writes over its store, a file that it reads, or another name of either', async () => {
    const store = join(folder, 'kept.duckdb');
    const input = join(folder, 'kept.tsv');
    const link = join(folder, 'link.csv');
    writeFileSync(input, readFileSync(BULK));
    symlinkSync(input, link);
    for (const rejects of [store, input, link, '-']) {
      const argv = ['import', 'nass', input, '--store', store, '--dry-run', '--rejects', rejects];
      expect(await runCommand(argv), rejects).toMatchObject({ code: 2, stdout: '' });
    }
    expect(readFileSync(input)).toEqual(readFileSync(BULK));
    await copyRegionStore(store);
    const { code, stderr } = await runCommand(
      words`points --item corn --store ${store} --format csv --out ${store}`,
    );
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `error: --out: ${store} would overwrite ${store}; specify a different file\n`,
    });
  });

  it('removes the rejected rows of an earlier import, and no other file', async () => {
    const [rejects, notes] = [join(folder, 'earlier.csv'), join(folder, 'notes.csv')];
    writeFileSync(rejects, 'file,line,reason,text\r\na.csv,2,odd,x\r\n');
    writeFileSync(notes, 'my notes');
    for (const path of [rejects, notes]) await runCommand(['import', 'demo', '--dry-run', '--rejects', path]);
    expect([existsSync(rejects), existsSync(notes)]).toEqual([false, true]);
  });

  it('refuses a setting that the data set does not have', async () => {
    const argv = ['import', 'cdo', BULK, '--set', 'unit=metric', '--store', join(folder, 'none.duckdb')];
    const message = 'error: --set unit: cdo has no such setting; did you mean units?\n';
    expect(await runCommand(argv)).toMatchObject({ code: 2, stderr: message });
  });

  it('rolls back when more rows are rejected than allowed', async () => {
    const store = join(folder, 'strict.duckdb');
    const rejects = join(folder, 'strict.csv');
    const argv = ['import', 'nass', BULK, '--store', store, '--rejects', rejects, '--max-rejects', '0'];
    const { code, stdout, stderr } = await runCommand(argv);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('more than 0 rows were rejected');
    expect(stderr).toContain(rejects);
    expect(existsSync(store)).toBe(false);
    expect(existsSync(rejects)).toBe(true);
  });

  it('accounts for every row, and allows as many conflicts as it is told', async () => {
    const table = join(folder, 'contradictory.csv');
    const lines = readFileSync('test/fixtures/psd/grains.csv', 'utf8').split('\n').slice(0, 2);
    writeFileSync(table, [...lines, lines[1]!.replace('273192.0000', '7')].join('\n'));
    const rejects = join(folder, 'contradictory-rejects.csv');
    const store = join(folder, 'contradictory.duckdb');
    const argv = ['import', 'psd', table, '--store', store, '--rejects', rejects];
    const refused = await runCommand(argv);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(
      '2 of 2 rows contradict other rows, which is more than 0.1 %, so nothing was imported',
    );
    expect(refused.stderr).toContain(rejects);
    expect(existsSync(store)).toBe(false);
    const { code, stdout } = await runCommand([...argv, '--max-conflicts', '2']);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /rows of the files +2\n +points +0\n +nulls +0\n +duplicates +0\n +conflicts +2\n/,
    );
    const written = readFileSync(rejects, 'utf8').trimEnd().split('\r\n');
    expect(written.map((line) => line.slice(0, 31))).toEqual([
      'file,line,reason,text',
      'contradictory.csv,2,"conflict: ',
      'contradictory.csv,3,"conflict: ',
    ]);
  });

  it.each([
    ['cot', 'cot/annual.txt', 'positions', 'combined'],
    ['usdm', 'usdm/county-ByAreaPercent.csv', 'statistic', 'area-percent'],
  ])('says of %s what its files do not', async (dataset, fixture, setting, value) => {
    const table = join(folder, `${dataset}-unnamed`);
    writeFileSync(table, readFileSync(join('test/fixtures', fixture)));
    const rejects = join(folder, `${dataset}-rejects.csv`);
    const argv = ['import', dataset, table, '--dry-run', '--max-rejects', '1000', '--rejects', rejects];
    const refused = await runCommand(argv);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`specify the setting "${setting}": `);
    expect(await runCommand([...argv, '--set', `${setting}=${value}`])).toMatchObject({ code: 0 });
    const odd = await runCommand([...argv, '--set', `${setting}=everything`]);
    expect(odd.code).toBe(2);
    expect(odd.stderr).toContain(value);
  });

  it('reads files without a store in a dry run', async () => {
    const argv = words`import test/fixtures/csv/corn.json test/fixtures/csv/corn.tsv`;
    const rejects = join(folder, 'tried.csv');
    const { code, stdout } = await runCommand([
      ...argv,
      ...words`--dry-run --json --rejects ${rejects} --max-rejects 100`,
    ]);
    expect(code).toBe(0);
    const tried = JSON.parse(stdout);
    expect(tried.rows).toBeGreaterThan(0);
    const store = join(folder, 'csv.duckdb');
    await copyRegionStore(store);
    const loaded = await runCommand([
      ...argv,
      ...words`--store ${store} --json --rejects ${rejects} --max-rejects 100`,
    ]);
    expect(JSON.parse(loaded.stdout)).toMatchObject({
      rows: tried.rows,
      points: tried.points,
      added: tried.points + tried.nulls,
      rejectedRows: tried.rejectedRows,
    });
    expect((await runCommand([...argv.slice(0, 2), '--store', store])).stderr).toContain(
      'corn.json needs files',
    );
  });

  it('shows in a dry run what the points are like, and the columns that are not read', async () => {
    const columns = Array.from({ length: 14 }, (_, i) => `note ${i}`);
    const [table, document] = [join(folder, 'preview.csv'), join(folder, 'preview.json')];
    const rows = [
      '2021,15,Story County Iowa,9.5',
      '2019,9,Story County Iowa,NA',
      '2020,1,Story County Iowa,3',
    ];
    const notes = columns.map(() => 'x').join(',');
    writeFileSync(
      table,
      `year,m,where,v,${columns.join(',')}\n${rows.map((row) => `${row},${notes}\n`).join('')}`,
    );
    const definition = {
      source: { name: 'Preview' },
      define: { items: { Goats: {} } },
      region: 'where',
      metric: { name: 'Production quantity' },
      item: { name: 'Goats' },
      unit: { name: 'kg' },
      start_date: { column: 'year', format: 'YYYY' },
      available_date: { after: 'end_date' },
      values: 'v',
    };
    writeFileSync(document, JSON.stringify(definition));
    const { code, stdout } = await runCommand(['import', document, table, '--dry-run']);
    expect(code).toBe(0);
    for (const column of ['m', ...columns]) expect(stdout).toMatch(new RegExp(`not read: ${column} +3\n`));
    expect(stdout).toContain('  dates  2019-01-01 to 2021-12-31\n  units  kg\n');
    const sample = stdout
      .slice(stdout.indexOf('first points'))
      .split('\n')
      .map((line) => line.split(/ {2,}/));
    expect(sample.slice(0, 4)).toEqual([
      ['first points', 'item', 'region', 'from', 'to', 'value', 'unit', 'reported', 'available'],
      'Production quantity|Goats|Story County, Iowa|2021-01-01|2021-12-31|9.5|kg|2021-12-31'.split('|'),
      'Production quantity|Goats|Story County, Iowa|2019-01-01|2019-12-31|null|kg|2019-12-31'.split('|'),
      'Production quantity|Goats|Story County, Iowa|2020-01-01|2020-12-31|3|kg|2020-12-31'.split('|'),
    ]);
  });

  it('prints the SQL that reads a file', async () => {
    const [table, document] = [join(folder, 'wide.csv'), join(folder, 'wide.json')];
    writeFileSync(table, 'state,2001,2002\nIowa,1,\nOhio,,4\n');
    writeFileSync(
      document,
      JSON.stringify({
        source: { name: 'Trials' },
        region: 'state',
        metric: { name: 'Yield' },
        item: { name: 'Corn' },
        unit: { name: 't/ha' },
        start_date: { header: 'YYYY' },
      }),
    );
    const { code, stdout } = await runCommand(['import', document, table, '--explain']);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^-- c0: state\n-- c1: 2001\n-- c2: 2002\nCREATE .* TEMP TABLE raw AS\nSELECT .* FROM read_csv\('.*wide.csv'/s,
    );
    expect(stdout).toMatch(
      /-- row_region: the meaning of 2 distinct strings\n.*CREATE TABLE .* AS\nSELECT .*;\n$/s,
    );
    const there = await runCommand(['import', document, table, '--explain', '--host', 'http://127.0.0.1:1']);
    expect(there.stderr).toContain('--host: cannot be combined with --explain, which reads local files');
  });

  it('suggests a document that imports as it is printed', async () => {
    const [table, document] = [join(folder, 'first.csv'), join(folder, 'first.json')];
    writeFileSync(table, 'year;country;Corn yield (t/ha);memo\n2020;France;9,5;x\n2021;Spain;11,25;y\n');
    const suggested = await runCommand(['import', table, '--suggest']);
    expect(suggested).toMatchObject({ code: 0, stderr: 'note: columns that are not read: memo\n' });
    expect(JSON.parse(suggested.stdout)).toMatchObject({ name: 'first', delimiter: ';', decimal: ',' });
    writeFileSync(document, suggested.stdout);
    const tried = await runCommand(['import', document, table, '--dry-run', '--json']);
    const { points, sample } = JSON.parse(tried.stdout);
    expect([points, sample[1].region, sample[1].value]).toEqual([2, 'Spain', 11.25]);
    const several = await runCommand(['import', 'nass', table, '--suggest']);
    expect(several).toMatchObject({ code: 2, stderr: expect.stringContaining('suggest: needs one table') });
  });

  it('lists every data set', async () => {
    const { code, stdout } = await runCommand(['import', '--list', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).map((one: { dataset: string }) => one.dataset)).toEqual(DATASETS);
    const piped = await runCommand(['import', '--list']);
    expect(piped.stdout).toMatch(/^dataset\tfiles\tcontent\t--fetch takes\n/);
    const shown = await runCommand(['import', '--list'], { terminal: true });
    expect(shown.stdout).toMatch(/^dataset +files +content +--fetch takes\n/);
    const { stdout: one } = await runCommand(['import', 'usdm', '--list']);
    expect(one).toMatch(
      /^usdm: US Drought Monitor.*\n--fetch takes US or CONUS.*\n--set statistic=area\|area-percent\|.* {2}the quantity/,
    );
  });

  it.each([
    [['import', '--store', 'x.duckdb'], 'specify a data set, or a file to import'],
    [
      ['import', 'nonsense', '--store', 'x.duckdb'],
      'error: there is no data set or file "nonsense"; "cropframe import --list" lists the data sets',
    ],
    [['import', 'demo'], 'use --store FILE'],
    [['import', 'demo', 'file.csv', '--store', 'x.duckdb'], 'demo needs no files'],
    [['import', 'nass', '--store', 'x.duckdb'], 'nass needs files'],
    [['import', 'demo', '--store', 'x.duckdb', '--max-rejects', '-1'], 'whole number'],
  ])('refuses %j', async (argv, message) => {
    const { code, stdout, stderr } = await runCommand(argv);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(existsSync('x.duckdb')).toBe(false);
  });

  it('creates no store when a file is missing', async () => {
    const store = join(folder, 'missing.duckdb');
    const { code, stderr } = await runCommand(['import', 'nass', 'nowhere.txt', '--store', store]);
    expect(code).toBe(1);
    expect(stderr).toContain('nowhere.txt');
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(existsSync(store)).toBe(false);
  });

  it.each<[what: string, argv: readonly string[], code: number, message: string | RegExp]>([
    [
      'a file of another data set',
      ['psd', BULK],
      1,
      `error: quick-stats.tsv is not a table of the data set psd: its first line is "SOURCE_DESC`,
    ],
    ['which it names', ['psd', BULK], 1, `\nIt looks like nass: cropframe import nass ${BULK}\n`],
    [
      'a table of another data set',
      [DOCUMENT, BULK],
      1,
      /has no column "state"; its columns are .*…"\nIt looks like nass/,
    ],
    [
      'what is no text',
      ['faostat', join(folder, 'bytes')],
      1,
      /bytes is not a table of the data set faostat: it is not text\n/,
    ],
    [
      'another kind of text',
      ['wasde', DOCUMENT],
      1,
      'is not a table of the data set wasde: its first line is "{"\n',
    ],
    ['a file cut short', ['nass', join(folder, 'cut.gz')], 1, 'cut.gz cannot be read: it is truncated'],
    [
      'a mistyped document',
      [join(folder, 'typo.json'), BULK],
      2,
      /^error: \S+typo\.json: "start_dat" is not a key; did you mean "start_date"\?/,
    ],
    ['a document that is no JSON', [join(folder, 'cut.json'), BULK], 1, 'cut.json is not valid JSON: '],
    ['a document that is not there', ['no.json', BULK], 1, 'no.json cannot be read: there is no such file'],
    [
      'a document that extends none of the package',
      [join(folder, 'own.json'), BULK],
      2,
      'own.json: extends "conap", which is not a document in the package; did you mean conab?',
    ],
  ])('explains the error of %s', async (_, argv, code, message) => {
    writeFileSync(join(folder, 'bytes'), Buffer.from([0, 1, 2, 255, 254]));
    writeFileSync(join(folder, 'cut.json'), readFileSync(DOCUMENT, 'utf8').slice(0, 99));
    writeFileSync(join(folder, 'own.json'), '{ "extends": "conap" }');
    writeFileSync(join(folder, 'cut.gz'), gzipSync(readFileSync(BULK)).subarray(0, 400));
    writeFileSync(
      join(folder, 'typo.json'),
      readFileSync(DOCUMENT, 'utf8').replace('start_date', 'start_dat'),
    );
    const store = join(folder, 'regions.duckdb');
    if (!existsSync(store)) await copyRegionStore(store);
    const ending = await runCommand(['import', ...argv, '--store', store]);
    expect(ending).toMatchObject({ code, stdout: '' });
    if (typeof message === 'string') expect(ending.stderr).toContain(message);
    else expect(ending.stderr).toMatch(message);
    expect(ending.stderr).not.toMatch(/\n\s+at /);
  });

  it('rolls back on Ctrl-C, says so, and removes a new store', async () => {
    const store = join(folder, 'interrupted.duckdb');
    const stop = new AbortController();
    const { io, stderr } = recordingIo({ signal: stop.signal });
    const ended = run(['import', 'demo', '--store', store], io);
    await until(() => existsSync(store), ended);
    stop.abort(new Interruption('SIGINT'));
    expect(await ended).toBe(130);
    expect(stderr.text).toBe(`interrupted; the import was rolled back, ${store} is unchanged\n`);
    expect(existsSync(store)).toBe(false);
  });

  it('keeps what a store held when it is interrupted while points are merged', async () => {
    const held = async () => {
      const opened = await openStore(demoStore, { read_only: true });
      try {
        return [
          await opened.version(),
          await opened.lookup('sources', null, { limit: 10 }),
          await storedPoints(opened),
        ];
      } finally {
        await opened.close();
      }
    };
    const before = await held();
    const stop = new AbortController();
    const { io, stderr } = recordingIo({ terminal: true, signal: stop.signal });
    const write = stderr._write.bind(stderr);
    stderr._write = (chunk, encoding, done) => {
      if (String(chunk).includes('merging points')) stop.abort(new Interruption('SIGINT'));
      write(chunk, encoding, done);
    };
    const argv = ['import', 'nass', BULK, '--store', demoStore, '--max-rejects', '100'];
    expect(await run([...argv, '--rejects', join(folder, 'interrupted.csv')], io)).toBe(130);
    expect(stderr.text).toContain(`interrupted; the import was rolled back, ${demoStore} is unchanged`);
    expect(await held()).toEqual(before);
  });
});
