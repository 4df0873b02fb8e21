import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSeriesList } from '../../../src/cli/actions/df.js';
import { allowAnyone } from '../../../src/service/access/auth.js';
import { serve } from '../../../src/service/http/serve.js';
import { createService } from '../../../src/service/service.js';
import { openStore } from '../../../src/store/open.js';
import { copyRegionStore } from '../../store-templates.js';
import { recordingIo, runCommand, words } from '../capture.js';
import { asking, demoStore, quickStatsStore } from '../stores.js';

const demo = demoStore();
const { folder } = demo;
const ask = asking(demo);
const askQuickStats = asking(quickStatsStore());
const quickStats = quickStatsStore();
const df = (argv: readonly string[], input?: string) =>
  ask(['df', ...argv], input === undefined ? {} : { input });
const STATIONS =
  '--item|Temperature min|--item|Temperature max|--region|Seattle|--region|New York City'.split('|');
const DAYS = ['--start', '2015-01-01', '--end', '2015-01-02'];

describe('df', () => {
  it('retrieves every combination of the names into one frame', async () => {
    const { code, stdout, stderr } = await df([...STATIONS, ...DAYS, '--names', '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const rows = JSON.parse(stdout);
    expect(rows).toHaveLength(8);
    expect(rows[0]).toMatchObject({
      item_name: 'Temperature min',
      region_name: 'Seattle weather station',
      value: -3.2,
    });
    expect(rows[7]).toMatchObject({
      item_name: 'Temperature max',
      region_name: 'New York City weather station',
      value: 7.2,
    });
  });

  it('converts each series to the unit of its dimension, by abbreviations', async () => {
    const corn = words`--metric yield --metric ${'area harvested'} --item corn --region Washington`;
    const units = async (...argv: string[]) => {
      const { stdout } = await df([...corn, '--start', '2011-01-01', '--names', '--json', ...argv]);
      return JSON.parse(stdout).map((row: { unit_name: string }) => row.unit_name);
    };
    expect(await units()).toEqual(['bushel of corn per acre', 'acre']);
    expect(await units('--unit', 't/ha', '--unit', 'ha')).toEqual(['tonne per hectare', 'hectare']);
    const refused = (...argv: string[]) => df([...corn, ...argv]);
    expect(await units('--unit', 't/ha')).toEqual(['tonne per hectare', 'acre']);
    expect(await refused('--unit', 't/ha')).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(
        /^warning: series \S+ is not converted from ac, because no --unit has the same dimension$/m,
      ),
    });
    expect(await refused('--unit', '°C')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/there is no unit "°C" for this series; the units are|none of the units/),
    });
    expect(await refused('--unit', 't/ha', '--unit', 'ha', '--unit', 'kg/ha')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        'error: the units "t/ha" and "kg/ha" both have the dimension mass per area; specify only one unit per dimension',
      ),
    });
  });

  it('names its own options in the errors of operations', async () => {
    const said = async (...argv: string[]) => (await df([...STATIONS, ...argv])).stderr;
    expect(await said('--short-names')).toMatch(/^error: --short-names: .* add --wide\n/m);
    expect(await said('--wide', '--history')).toMatch(/^error: --wide: cannot be combined with --history/m);
    expect(await said('--start', '2020-01-02', '--end', '2020-01-01')).toContain(
      'error: --start: 2020-01-02 is after --end 2020-01-01\n',
    );
  });

  it('makes one column per series with --wide', async () => {
    const { stdout } = await df([...STATIONS, ...DAYS, '--wide']);
    const lines = stdout.trimEnd().split('\r\n');
    expect(lines[0]!.split(',')).toHaveLength(5);
    expect(lines.slice(1)).toEqual([
      '2015-01-01T00:00:00.000Z,-3.2,-2.1,5.6,4.4',
      '2015-01-02T00:00:00.000Z,0,1.7,5.6,7.2',
    ]);
  });

  it('warns of points that --wide has no place for', async () => {
    const [table, document, store] = ['ends.csv', 'ends.json', 'ends.duckdb'].map((name) =>
      join(folder, name),
    );
    writeFileSync(table!, 'from,to,v\n2020-01-01,2020-01-31,1\n2020-01-31,2020-01-31,2\n');
    const meaning = {
      metric: { name: 'Yield' },
      item: { name: 'Corn' },
      unit: { name: 't/ha' },
      values: 'v',
    };
    const place = { source: { name: 'Ends' }, region: { name: 'Iowa', level: 'province' } };
    const dates = { start_date: 'from', end_date: 'to', frequency: 'monthly' };
    writeFileSync(document!, JSON.stringify({ ...place, ...dates, ...meaning }));
    await copyRegionStore(store!);
    await runCommand(['import', document!, table!, '--store', store!]);
    const { stdout, stderr } = await runCommand(['df', '--item', 'corn', '--store', store!, '--wide']);
    expect(stdout.trimEnd().split('\r\n').slice(1)).toEqual(['2020-01-31T00:00:00.000Z,2']);
    expect(stderr).toMatch(
      /^warning: series [\d-]+: 1 point left out, because other points end on the same date; omit --wide to get all of them$/m,
    );
  });

  it('retrieves what was available at a time', async () => {
    const argv = words`--metric yield --metric ${'area harvested'} --item corn --region ${'United States'}`;
    const reported = async (...more: string[]) => {
      const { stdout } = await askQuickStats(['df', ...argv, ...more, '--json']);
      return JSON.parse(stdout).map((row: { reporting_date: string }) => row.reporting_date.slice(0, 10));
    };
    expect(await reported()).toEqual(['2014-01-10', '2013-02-22']);
    expect(await reported('--at-time', '2013-06-01')).toEqual(['2013-02-22', '2013-02-22']);
  });

  it('reads the output of find from a pipe', async () => {
    const found = await ask(words`find --item corn --metric yield --json`);
    const { code, stdout } = await df(['-', '--json'], found.stdout);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toHaveLength(20);
  });

  it('retrieves the points of the dates that series were found with, and later ones of others', async () => {
    const corn = words`find --item corn --metric yield --region Washington --json`;
    const yearsOf = async (list: string, ...argv: string[]) => {
      const rows: { end_date: string }[] = JSON.parse((await df(['-', '--json', ...argv], list)).stdout);
      return rows.map(({ end_date }) => end_date.slice(0, 4));
    };
    const dated = (await ask([...corn, '--start', '2005-01-01', '--end', '2006-12-31'])).stdout;
    expect(await yearsOf(dated)).toEqual(['2005', '2006']);
    expect(await yearsOf(dated, '--start', '2006-01-01')).toEqual(['2006']);
    const [whole] = JSON.parse((await ask(corn)).stdout);
    const stale = { ...whole, end_date: '2009-12-31T00:00:00.000Z' };
    expect(await yearsOf(JSON.stringify([stale]))).toHaveLength(8);
    stale.coverage = { ...whole.coverage, endMs: Date.parse(stale.end_date) };
    expect(await yearsOf(JSON.stringify([stale]))).toHaveLength(10);
  });

  it('reads a file with names', async () => {
    const file = join(folder, 'names.json');
    const corn = { item: 'corn', metric: 'yield', region: 'Washington', start_date: '2003-01-01' };
    writeFileSync(file, JSON.stringify([corn]));
    const { stdout } = await df([file, '--json', '--end', '2004-12-31']);
    expect(JSON.parse(stdout).map(({ value }: { value: number }) => value)).toEqual([195, 200]);
  });

  it('writes what exists, warns of what does not, and sets the exit code', async () => {
    const argv = words`--item corn --metric Yield --region Seattle --region Washington --json`;
    const { code, stdout, stderr } = await df(argv);
    expect(code).toBe(5);
    expect(JSON.parse(stdout)).toHaveLength(10);
    expect(stderr).toContain(
      'warning: Yield, corn, Seattle: no series of metric "Yield" (Yield, Yield per planted area), item "corn" ',
    );
  });

  it('has names where they are wanted, and in tables for people', async () => {
    const { stdout } = await df([...STATIONS, ...DAYS, '--json']);
    expect(JSON.parse(stdout)[0]).toHaveProperty('item_id');
    expect(JSON.parse(stdout)[0]).not.toHaveProperty('item_name');
    const shown = await ask(['df', ...STATIONS, ...DAYS], { terminal: true });
    expect(shown.stdout).toContain('8 rows × 18 columns');
  });

  it('takes series by their keys, in the order given, beside names', async () => {
    const all = JSON.parse((await df([...STATIONS, ...DAYS, '--json'])).stdout);
    const keys = [all[7], all[0]].map(
      ({ metric_id, item_id, region_id, partner_region_id, frequency_id, source_id }) =>
        [metric_id, item_id, region_id, partner_region_id, frequency_id, source_id].join('-'),
    );
    const byKey = keys.flatMap((key) => ['--series', key]);
    const { code, stdout } = await df([...byKey, ...DAYS, '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).map(({ value }: { value: number }) => value)).toEqual([4.4, 7.2, -3.2, 0]);
    const missing = await df([...byKey, '--series', '1-2-3-0-9-5', ...DAYS, '--json']);
    expect(missing.code).toBe(5);
    expect(missing.stderr).toMatch(/^warning: 1-2-3-0-9-5: /);
    expect(JSON.parse(missing.stdout)).toHaveLength(4);
    const wrong = await df([...byKey, '--series', 'no-key', ...DAYS, '--json']);
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
  });

  it('says once that nothing is found, for a single series or no combination', async () => {
    const argv = ['--item', 'corn', '--region', 'Seattle'];
    const single = await df([...argv, '--json']);
    expect(single).toMatchObject({ code: 3, stdout: '', stderr: expect.stringMatching(/^error: [^\n]*\n$/) });
    const none = await df([...argv, '--region', 'England']);
    expect(none).toMatchObject({ code: 3, stdout: '' });
    expect(none.stderr).toMatch(/\nerror: no data series is available for the selection[^\n]*\n$/);
  });

  it('names the failed series, and writes the others with --allow-partial', async () => {
    const opened = await openStore(quickStats.store, { read_only: true });
    const service = createService(opened, { authorize: allowAnyone });
    const [planted] = await opened
      .lookup('metrics', null)
      .then((all) => all.filter(({ name }) => name === 'Area planted'));
    const failing = async (request: Request): Promise<Response> => {
      const asked = `${request.url} ${request.method === 'POST' ? await request.clone().text() : ''}`;
      const mentioned = new RegExp(`"?metric_?[iI]ds?"?[=:]\\[?${planted!.id}\\b`).test(asked);
      if (!mentioned || !new URL(request.url).pathname.endsWith('/data')) return service(request);
      return Response.json({ error: 'broken on purpose' }, { status: 400 });
    };
    const serving = await serve(failing, { port: 0 });
    try {
      const metrics = ['area planted', 'area harvested', 'average farm price'];
      const names = [...metrics.flatMap((name) => ['--metric', name]), '--item', 'corn', '--region', 'iowa'];
      const argv = ['df', ...names, '--json', '--host', serving.url];
      const strict = await runCommand(argv);
      expect(strict).toMatchObject({ code: 5, stdout: '' });
      expect(strict.stderr).toMatch(/^error: 1 of 3 series failed:\n/);
      expect(strict.stderr).toMatch(new RegExp(`\n {2}${planted!.id}-\\d+-\\d+-0-9-\\d+: `));
      const lenient = await runCommand([...argv, '--allow-partial']);
      expect(lenient.code).toBe(5);
      expect(JSON.parse(lenient.stdout)).toMatchObject([{ value: 13_700_000 }, { frequency_id: 9 }]);
      expect(lenient.stderr).toMatch(/^warning: series .* failed: /);
    } finally {
      await serving.close();
      await opened.close();
    }
  });

  it.each([
    ['not json', 'is not JSON'],
    ['{}', 'is not a list of series'],
    ['[]', 'is not a list of series'],
    ['[{"item": "corn"}, 7]', ', entry 2: specify metric_id, item_id, '],
    ['["corn yield"]', ', entry 1: specify metric_id, item_id, '],
    ['[{"metric_id": 30}]', ', entry 1: specify metric_id, item_id, '],
    [
      '[{"itm": "corn", "region": "Iowa"}]',
      ', entry 1: itm: a series has no such option; did you mean item?',
    ],
    ['[{"item": "corn", "unit": "t/ha"}]', ', entry 1: unit: a series has no such option'],
    [
      '[{"metric_id": 30, "region": "Iowa"}]',
      ', entry 1: region: a series has no such option; did you mean region_id?',
    ],
    ['[{"item": "corn", "start_date": "soon"}]', ', entry 1: start_date: "soon" is not a date'],
  ])('refuses the list %s', async (text, message) => {
    const ending = await df(['-'], text);
    expect(ending).toMatchObject({ code: 2, stdout: '' });
    expect(ending.stderr).toContain(`error: standard input${message.startsWith(',') ? '' : ' '}${message}`);
  });

  it('says that standard input cannot be read', async () => {
    const { io, stdin } = recordingIo();
    stdin.destroy(Object.assign(new Error('EISDIR'), { code: 'EISDIR', syscall: 'read' }));
    await expect(readSeriesList('-', io)).rejects.toThrow('standard input cannot be read: it is a folder');
  });

  it('needs at least one series', async () => {
    expect(await df([])).toMatchObject({ code: 2 });
    expect(await df([join(folder, 'absent.json')])).toMatchObject({ code: 1 });
  });
});
