import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tableFromArrays } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../src/create-client.js';
import { frame } from '../../src/frame/frame.js';
import { documentImporter } from '../../src/ingest/document/define-dataset.js';
import { importDataset } from '../../src/ingest/import-dataset.js';
import { type HostedImports, hostImports } from '../../src/ingest/import-host.js';
import { HttpError } from '../../src/model/errors.js';
import { type Serving, serve } from '../../src/service/http/serve.js';
import { createService } from '../../src/service/service.js';
import { Imports } from '../../src/service/upkeep/imports.js';
import type { Store } from '../../src/store/store.js';
import { openServedStore } from '../service/serving-store.js';
import { noSmallDisk, withSmallDisk } from '../small-disk.js';
import { TRIALS_DOCUMENT } from '../trials-document.js';
import { putToken } from './demo-service.js';

const nass = documentImporter('nass');

const table = (value: number, rows = ['Iowa', 'Ohio']) =>
  new Blob(['state,year,value\n', ...rows.map((state) => `${state},2020,${value}\n`)]);

let store: Store;
let imports: HostedImports;
let serving: Serving;

beforeAll(async () => {
  ({ store } = await openServedStore());
  await putToken(store, 'reader', ['read']);
  for (const name of ['loader', 'other']) await putToken(store, name, ['read', 'import']);
  imports = await hostImports({ maxBytes: 30_000_000 });
  serving = await serve(createService(store, { imports }), { port: 0 });
});
afterAll(async () => {
  await serving.close();
  await imports.close();
  await store.close();
});

const clientOf = (access_token: string) =>
  createClient({ api_host: serving.url, access_token, retry: { retries: 1, firstWaitMs: 1 } });
const trials = (value: number, rows?: string[]) => ({
  dataset: TRIALS_DOCUMENT,
  files: [{ name: 'trials.csv', content: table(value, rows) }],
});
const ask = (path: string, { token = 'loader', body }: { token?: string; body?: BodyInit | object } = {}) =>
  fetch(`${serving.url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': body instanceof Blob ? 'application/octet-stream' : 'application/json',
    },
    ...(body === undefined ? {} : { body: body instanceof Blob ? body : JSON.stringify(body) }),
  });
const begin = async (bytes: number, token = 'loader') => {
  const request = {
    dataset: TRIALS_DOCUMENT,
    files: [{ name: '../../etc/x.csv', bytes }],
  };
  const answer = await ask('/v2/imports', { token, body: request });
  return ((await answer.json()) as { data: { importId: string } }).data.importId;
};
const messageOf = async (answer: Response) => [
  answer.status,
  ((await answer.json()) as { message: string }).message,
];

describe('importing into a service', () => {
  it('imports files while it serves, reports on every row, and does not change what is repeated', async () => {
    const rejected: string[] = [];
    const progress: string[] = [];
    const first = await clientOf('loader').importFiles({
      ...trials(9),
      onRejected: (rows) => rejected.push(...rows.map(({ reason }) => reason)),
      onProgress: ({ label }) => progress.push(label),
    });
    expect(first).toMatchObject({ dataset: 'table', rows: 2, points: 2, added: 2, rejectedRows: 0 });
    expect(progress[0]).toBe('sending trials.csv');
    const again = await clientOf('loader').importFiles(trials(9));
    expect(again).toMatchObject({ rows: 2, added: 0, unchanged: 2 });
    const client = clientOf('reader');
    const series = [];
    for await (const one of client.findDataSeries({ metric: 'Yield', item: 'Corn', region: 'Iowa' }))
      series.push(one);
    const trial = series.find(({ source_name }) => source_name === 'Trials')!;
    expect((await client.getDataPoints(trial)).map(({ value }) => value)).toEqual([9]);
    await expect.poll(() => readdirSync(imports.folder)).toEqual([]);
  });

  it('changes nothing when the files are not of the data set, and says which and why', async () => {
    const before = await store.version();
    const rejected: unknown[] = [];
    const name = 'plots & strips, 1+2%.csv';
    const failing = clientOf('loader').importFiles({
      dataset: TRIALS_DOCUMENT,
      files: [{ name, content: table(1, ['Iowa', 'Atlantis']) }],
      max_rejected_share: 0,
      onRejected: (rows) => rejected.push(...rows),
    });
    await expect(failing).rejects.toThrow(/1 of 2 values cannot be used/);
    expect(rejected).toMatchObject([{ file: name }]);
    await expect(failing).rejects.toBeInstanceOf(HttpError);
    expect(await store.version()).toBe(before);
    await expect.poll(() => readdirSync(imports.folder)).toEqual([]);
  });

  it('refuses a setting that the data set does not declare, like an import into a store', async () => {
    const settings = { units: 'metric' };
    const message = /settings\.units: (table|nass) has no such setting; it takes none/;
    await expect(clientOf('loader').importFiles({ ...trials(1), settings })).rejects.toThrow(message);
    await expect(importDataset(store, nass, { settings })).rejects.toThrow(message);
    const body = { dataset: TRIALS_DOCUMENT, files: [{ name: 'a.csv', bytes: 3 }], settings };
    const [status, said] = await messageOf(await ask('/v2/imports', { body }));
    expect([status, String(said)]).toEqual([400, expect.stringMatching(message)]);
  });

  it('needs a token with the right to import, and keeps imports of one token from others', async () => {
    await expect(clientOf('reader').importFiles(trials(1))).rejects.toThrow(
      /does not have the right "import"/,
    );
    const importId = await begin(3);
    expect((await ask(`/v2/imports/${importId}/run`, { token: 'other' })).status).toBe(404);
    expect((await ask(`/v2/imports/${importId}/cancel`)).status).toBe(200);
    expect((await ask(`/v2/imports/${importId}/run`)).status).toBe(404);
  });

  it('is off unless it is allowed', async () => {
    const off = await serve(createService(store), { port: 0 });
    const client = createClient({ api_host: off.url, access_token: 'loader' });
    await expect(client.importFiles(trials(1))).rejects.toThrow(/start it with --allow-import/);
    await off.close();
  });

  it('refuses parts that are out of order or too long, and files that are cut', async () => {
    const importId = await begin(6);
    const part = (offset: number, body: string) =>
      ask(`/v2/imports/${importId}/files/0?offset=${offset}`, { body: new Blob([body]) });
    expect(await messageOf(await part(3, ''))).toEqual([
      400,
      expect.stringContaining('0 bytes have arrived'),
    ]);
    for (let times = 0; times < 2; times++)
      expect(await (await part(0, 'abc')).json()).toEqual({ data: { received: 3 } });
    expect(readFileSync(`${imports.folder}/${importId}/0/x.csv`, 'utf8')).toBe('abc');
    expect((await part(3, 'abcdef')).status).toBe(413);
    expect(await messageOf(await ask(`/v2/imports/${importId}/run`))).toEqual([
      400,
      expect.stringContaining('3 of 6 bytes of file 0 have arrived'),
    ]);
    await ask(`/v2/imports/${importId}/cancel`);
  });

  it.skipIf(noSmallDisk !== null)(`takes no part that the disk cuts short ${noSmallDisk ?? ''}`, async () => {
    await withSmallDisk(64, async (folder) => {
      const hosted = new Imports(await hostImports({ folder: join(folder, 'imports') }));
      const content = Buffer.alloc(40_000, 'x');
      const request = {
        dataset: TRIALS_DOCUMENT,
        files: [{ name: 'a.csv', bytes: 40_000 }],
      };
      const ids = [await hosted.begin(request, 'loader'), await hosted.begin(request, 'loader')];
      const add = (id: string) => {
        const part = { position: 0, offset: 0, body: new Blob([content]).stream() };
        return hosted.addPart(id, 'loader', part);
      };
      expect(await add(ids[0]!)).toBe(40_000);
      await expect(add(ids[1]!)).rejects.toThrow(
        'the disk of the service has no room for these files; free some space there',
      );
      expect(() => hosted.take(ids[1]!, 'loader')).toThrow('0 of 40000 bytes of file 0 have arrived');
      await hosted.cancel(ids[0]!, 'loader');
      expect(await add(ids[1]!)).toBe(40_000);
      await hosted.cancel(ids[1]!, 'loader');
    });
  });

  it('keeps files in its own folder, whatever they are called, and opens none of its machine', async () => {
    const importId = await begin(0);
    expect(readdirSync(`${imports.folder}/${importId}/0`)).toEqual(['x.csv']);
    await ask(`/v2/imports/${importId}/cancel`);
    expect(existsSync(`${imports.folder}/${importId}`)).toBe(false);
    const path = clientOf('loader').importFiles({ ...trials(1), dataset: '/etc/passwd' });
    await expect(path).rejects.toThrow(/no data set "\/etc\/passwd"/);
  });

  it('leaves places to other tokens, and takes none for names that no file can have', async () => {
    const long = { dataset: 'nass', files: [{ name: '\u{1f33d}'.repeat(100), bytes: 1 }] };
    for (let i = 0; i < 5; i++)
      expect(await messageOf(await ask('/v2/imports', { body: long }))).toEqual([
        400,
        expect.stringContaining('files[0].name: is longer than 255 bytes'),
      ]);
    const mine = [await begin(1), await begin(1)];
    const third = { dataset: 'nass', files: [{ name: 'a.csv', bytes: 1 }] };
    expect(await messageOf(await ask('/v2/imports', { body: third }))).toEqual([
      429,
      expect.stringContaining('2 imports with this token are already being uploaded'),
    ]);
    const other = await begin(1, 'other');
    await ask(`/v2/imports/${other}/cancel`, { token: 'other' });
    for (const importId of mine) await ask(`/v2/imports/${importId}/cancel`);
  });

  it('names a damaged archive, and no folder of its machine', async () => {
    const cut = new Blob([new Uint8Array([0x50, 0x4b, 3, 4, 0, 0, 0, 0])]);
    const files = [{ name: 'corn.zip', content: cut }];
    const refused = await clientOf('loader').importFiles({ dataset: 'nass', files }).catch(String);
    expect(refused).toContain('corn.zip');
    expect(refused).not.toContain('/');
  });

  it('refuses data sets that it does not know, and files that are too large together', async () => {
    await expect(clientOf('loader').importFiles({ dataset: 'nas' })).rejects.toThrow(/did you mean nass/);
    const answer = await ask('/v2/imports', {
      body: { dataset: 'nass', files: [{ name: 'a.csv', bytes: 30_000_001 }] },
    });
    expect(await messageOf(answer)).toEqual([413, expect.stringContaining('accepts 30000000 per import')]);
  });

  it.each(['many.csv', 'many.parquet'])(
    'rolls back when the importer of %s leaves, and serves readers all the while',
    async (name) => {
      const before = await store.version();
      const rows = Array.from({ length: 60_000 }, (_, i) => ({
        state: i % 2 === 0 ? 'Iowa' : 'Ohio',
        year: 1000 + ((i >> 1) % 900),
        value: i,
      }));
      const content = name.endsWith('csv')
        ? ['state,year,value\n', ...rows.map(({ state, year, value }) => `${state},${year},${value}\n`)]
        : [
            await frame(
              tableFromArrays({
                state: rows.map(({ state }) => state),
                year: Int32Array.from(rows, ({ year }) => year),
                value: Float64Array.from(rows, ({ value }) => value),
              }),
            ).toParquet(),
          ];
      const leaving = new AbortController();
      const reader = clientOf('reader');
      // The first search loads the names, which takes much of the time that the import does.
      await reader.searchForEntity('regions', 'Iowa');
      let reads = 0;
      const importing = clientOf('loader').importFiles({
        dataset: TRIALS_DOCUMENT,
        files: [{ name, content: new Blob(content as BlobPart[]) }],
        signal: leaving.signal,
        onProgress: ({ label }) => {
          if (label.startsWith('sending')) return;
          void reader.searchForEntity('regions', 'Iowa').then(() => {
            reads++;
            leaving.abort();
          });
        },
      });
      await expect(importing).rejects.toThrow(/abort/);
      await expect.poll(() => readdirSync(imports.folder)).toEqual([]);
      expect(reads).toBeGreaterThan(0);
      expect(await store.version()).toBe(before);
    },
  );
});
