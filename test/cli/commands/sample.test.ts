import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../../src/cli/program.js';
import { fromCsv } from '../../../src/frame/formats/read-csv.js';
import { usStateRegionId } from '../../../src/ingest/regions/ids.js';
import { itemId, metricId, SOURCES } from '../../../src/ingest/vocabulary/entities.js';
import { hashPassword } from '../../../src/service/access/password-hash.js';
import { type Serving, serve } from '../../../src/service/http/serve.js';
import { createService } from '../../../src/service/service.js';
import { openStore } from '../../../src/store/open.js';
import type { Store } from '../../../src/store/store.js';
import { newPoints } from '../../store/conformance/sample-data.js';
import { type Ending, recordingIo, runCommand, until, words } from '../capture.js';
import { demoStore } from '../stores.js';

const { folder, store } = demoStore();
const PASSWORD = 'a long password';
let opened: Store;
let serving: Serving;
beforeAll(async () => {
  opened = await openStore(store);
  await opened.access.putUser({ email: 'ana@example.org', passwordHash: await hashPassword(PASSWORD) });
  serving = await serve(createService(opened), { port: 0 });
});
afterAll(async () => {
  await serving.close();
  await opened.close();
});

const tool = (argv: readonly string[], options: { input?: string; env?: Record<string, string> } = {}) =>
  runCommand([...argv, '--host', serving.url], options);
const token = async () =>
  (await tool(['--user_email', 'ana@example.org', '--print_token'], { input: PASSWORD })).stdout.trim();

describe('the token', () => {
  it('is required: by option, by the environment, or by email', async () => {
    const file = join(folder, 'none.csv');
    const ending = await tool(['--file', file]);
    expect(ending).toMatchObject({ code: 4, stdout: '' });
    expect(ending.stderr).toBe(
      'error: one of --token, --user_email and the environment variable API_TOKEN is required; to read a store, use --store FILE\n',
    );
    expect(existsSync(file)).toBe(false);
    const open = await serve(createService(opened, { authorize: 'anyone' }), { port: 0 });
    const argv = words`--item corn --file - --host ${open.url}`;
    expect(await runCommand(argv).finally(open.close)).toMatchObject({ code: 0, stderr: '' });
  });

  it('is obtained for an email and a password, which is prompted for when absent, and printed alone', async () => {
    const read = await tool(['--user_email', 'ana@example.org', '--print_token'], { input: `${PASSWORD}\n` });
    expect(read).toMatchObject({ code: 0, stderr: '' });
    expect(read.stdout).toMatch(/^cf_\S+\n$/);
    const given = await tool(words`--user_email ana@example.org --user_password ${PASSWORD} --print_token`);
    expect(given.stdout).toMatch(/^cf_\S+\n$/);
    const wrong = await tool(words`--user_email ana@example.org --user_password wrong --print_token`);
    expect(wrong).toMatchObject({ code: 4, stdout: '' });
    expect(wrong.stderr).toContain('email or password is wrong');
    expect(wrong.stderr).not.toContain('--token');
  });

  it('comes from a password that is not echoed on a terminal', async () => {
    const { io, stdin, stdout, stderr } = recordingIo({ terminal: true });
    const ended = run(['--user_email', 'ana@example.org', '--print_token', '--host', serving.url], io);
    await until(() => stderr.text.includes('Password: '), ended);
    stdin.write(`${PASSWORD}\r`);
    expect(await ended).toBe(0);
    expect(stdout.text).toMatch(/^cf_\S+\n$/);
    expect(stderr.text).not.toContain(PASSWORD);
  });

  it('option has priority over the environment, and both over the email', async () => {
    const env = { API_TOKEN: 'from-environment' };
    expect((await tool(['--print_token'], { env })).stdout).toBe('from-environment\n');
    expect((await tool(['--print_token', '--token', 'by-option'], { env })).stdout).toBe('by-option\n');
    expect((await tool(['--print_token', '--user_email', 'ana@example.org'], { env })).stdout).toBe(
      'from-environment\n',
    );
  });

  it('is refused when it is wrong', async () => {
    const ending = await tool(['--file', join(folder, 'wrong.csv'), '--token', 'wrong']);
    expect(ending).toMatchObject({ code: 4, stdout: '' });
    expect(ending.stderr).not.toContain('wrong;');
  });
});

describe('the series', () => {
  it('of the best hits is written with its unit', async () => {
    const file = join(folder, 'corn.csv');
    const argv = [
      '--item',
      'corn',
      '--metric',
      'yield',
      '--region',
      'Washington',
      '--file',
      file,
      '--token',
      await token(),
    ];
    expect(await tool(argv)).toEqual({ code: 0, stdout: '', stderr: '' });
    const lines = readFileSync(file, 'utf8').trimEnd().split('\r\n');
    expect(lines[0]).toBe('start_date,end_date,value,unit_abbreviation');
    expect(lines[1]).toBe('2002-01-01T00:00:00.000Z,2002-12-31T00:00:00.000Z,190,bu/ac (corn)');
    expect(lines).toHaveLength(11);
  });

  it('is random, and repeatable by its seed', async () => {
    const env = { API_TOKEN: await token() };
    const chosen = new Set<string>();
    const endings: Ending[] = [];
    for (const seed of [0, 1, 2, 3, 4, 0]) {
      const argv = ['--file', join(folder, 'random.csv'), '--seed', String(seed), '--json'];
      const ending = await tool(argv, { env });
      endings.push(ending);
      const { rows, series } = JSON.parse(ending.stdout);
      expect(rows).toBeGreaterThan(0);
      expect(fromCsv(readFileSync(join(folder, 'random.csv'), 'utf8')).numRows).toBe(rows);
      chosen.add(`${series.item_name} ${series.metric_name} ${series.region_name}`);
    }
    expect(endings.at(-1)).toEqual(endings[0]);
    expect(chosen.size).toBeGreaterThan(2);
  });

  it('is chosen without a list of all series', async () => {
    const lists: string[] = [];
    const service = createService(opened, { authorize: 'anyone' });
    const open = await serve(
      (request, connection) => {
        if (request.url.includes('/data_series/list')) lists.push(new URL(request.url).search);
        return service(request, connection);
      },
      { port: 0 },
    );
    const argv = words`--file ${join(folder, 'any.csv')} --seed 3 --host ${open.url}`;
    expect(await runCommand(argv).finally(open.close)).toMatchObject({ code: 0 });
    expect(lists).toEqual([expect.stringMatching(/itemId=\d+/)]);
  });

  it('is CSV, and in no file that says otherwise', async () => {
    expect(await tool(['--item', 'corn', '--file', join(folder, 'o.xlsx')])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^error: --file: .*o\.xlsx does not end in \.csv; for other formats/),
    });
  });

  it('goes to standard output for -', async () => {
    const { stdout } = await tool(['--item', 'corn', '--file', '-', '--seed', '1', '--token', await token()]);
    expect(stdout).toMatch(/^start_date,end_date,value,unit_abbreviation\r\n2002-01-01T/);
  });

  it('has an empty cell for a value without a unit', async () => {
    const of = {
      metric_id: metricId('Yield'),
      item_id: itemId('Durum wheat'),
      region_id: usStateRegionId(2),
      source_id: SOURCES.playfairWheat.id,
    };
    const transaction = await opened.begin();
    await transaction.putPoints(newPoints([{ of, day: 0, value: 7, unit: 0 }]));
    await transaction.record({ imported: { dataset: 'test', sourceIds: [], importedMs: 0 } });
    await transaction.settle();
    await transaction.commit();
    const argv = ['--item', 'durum wheat', '--region', 'Alaska', '--file', '-', '--token', await token()];
    const { stdout } = await tool(argv);
    expect(stdout.split('\r\n')[1]).toBe('2020-01-01T00:00:00.000Z,2020-01-01T00:00:00.000Z,7,');
  });

  it('may not exist', async () => {
    const argv = ['--token', await token(), '--file', join(folder, 'absent.csv')];
    const none = await tool(['--item', 'corn', '--region', 'Seattle', ...argv]);
    expect(none).toMatchObject({ code: 3, stderr: 'error: no data series is available for the selection\n' });
    const unknown = await tool(['--item', 'zzzzzz', ...argv]);
    expect(unknown).toMatchObject({ code: 3, stderr: 'error: no item is called "zzzzzz"\n' });
  });
});
