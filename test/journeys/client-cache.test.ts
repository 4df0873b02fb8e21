import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClientOptions } from '../../src/client/client.js';
import type { Client } from '../../src/create-client.js';
import { createClient } from '../../src/create-client.js';
import { frameChecksum } from '../../src/frame/table/checksum.js';
import { ArgumentError, AuthenticationError } from '../../src/model/errors.js';
import { PartialDataError } from '../../src/model/report.js';
import { cornSeries, fillWithCorn, reviseCorn } from './corn-states.js';
import { AT_ONCE, openDemoService, TOKEN, useDemoService } from './demo-service.js';

const SERIES = cornSeries(25);

const corn = useDemoService(fillWithCorn(25, 40));
let directory: string;
let statuses: number[];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cropframe-cache-'));
  statuses = [];
});
afterEach(() => rm(directory, { recursive: true }));

async function noting(request: Request): Promise<Response> {
  const response = await corn.service(request);
  statuses.push(response.status);
  return response;
}

const unreachable = async (): Promise<Response> => {
  throw new TypeError('fetch failed');
};

function caching(options: ClientOptions = {}): Client {
  const client = corn.client({ fetch: noting, cache: { directory }, ...options });
  for (const series of SERIES) client.addSingleDataSeries(series);
  return client;
}

describe('the cache on disk', () => {
  it('can be read by its owner alone', async () => {
    const folder = join(directory, 'own');
    await caching({ cache: { directory: folder } }).getDf();
    const files = await readdir(folder);
    expect(files.length).toBeGreaterThan(0);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    for (const file of files) expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);
  });

  it('is revalidated: a second client gets 304 and returns the same frame, with from_cache in its report', async () => {
    const first = await caching().getDf();
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(first.provenance!.report.some(({ from_cache }) => from_cache)).toBe(false);
    const asked = statuses.length;
    statuses = [];
    const second = await caching().getDf();
    expect(statuses).toEqual(Array<number>(asked).fill(304));
    expect(frameChecksum(second)).toBe(frameChecksum(first));
    expect(second.provenance!.report.every(({ from_cache }) => from_cache)).toBe(true);
  });

  it('keeps the answers of other flags, hosts and tokens apart', async () => {
    const series = SERIES[0]!;
    const points = await caching().getDataPoints(series);
    await caching().getDataPoints({ ...series, start_date: '1980-01-01' });
    await caching({ api_host: 'http://other.invalid' }).getDataPoints(series);
    expect(statuses).toEqual([200, 200, 200]);
    const stranger = caching({ access_token: 'another', offline: true, fetch: unreachable });
    await expect(stranger.getDataPoints(series)).rejects.toThrow(/offline/);
    await expect(caching({ access_token: 'another' }).getDataPoints(series)).rejects.toBeInstanceOf(
      AuthenticationError,
    );
    expect(await caching({ offline: true, fetch: unreachable }).getDataPoints(series)).toEqual(points);
    for (const name of await readdir(directory)) {
      const text = await readFile(join(directory, name), 'latin1');
      expect(text.includes(TOKEN) || name.includes(TOKEN)).toBe(false);
    }
  });

  it('notices that the data changed', async () => {
    const store = await openDemoService(fillWithCorn(25, 40));
    const client = () => caching({ fetch: store.service });
    const before = await client().getDf();
    await reviseCorn(store.store, 25, { revised: 1, added: 1 });
    const after = await client().getDf();
    expect(after.numRows).toBe(before.numRows + 25 + 3);
    await store.close();
  });

  it('offline: answers what it has with its date, and names what it lacks', async () => {
    const online = await caching().getDf();
    const kept = online.provenance!.retrieved_at;
    const offline = await caching({ offline: true, fetch: unreachable }).getDf();
    expect(frameChecksum(offline)).toBe(frameChecksum(online));
    const { report, retrieved_at } = offline.provenance!;
    expect(report.every(({ from_cache }) => from_cache)).toBe(true);
    expect(Math.abs(Date.parse(retrieved_at) - Date.parse(kept))).toBeLessThan(60_000);
    const wider = caching({ offline: true, fetch: unreachable });
    wider.addSingleDataSeries({ ...SERIES[3]!, region_id: 1 });
    const error = await wider.getDf().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(PartialDataError);
    expect((error as PartialDataError).failed).toMatchObject([{ series: { region_id: 1 } }]);
    expect((error as PartialDataError).message).toMatch(/offline/);
    expect(() => createClient({ access_token: 't', offline: true })).toThrow(ArgumentError);
  });

  it('ignores a damaged, cut or foreign file', async () => {
    const first = await caching().getDf();
    for (const [at, name] of (await readdir(directory)).entries()) {
      const bytes = await readFile(join(directory, name));
      if (at % 3 === 0) bytes[bytes.length - 5]! ^= 4;
      await writeFile(join(directory, name), at % 3 === 1 ? bytes.subarray(0, bytes.length / 2) : bytes);
    }
    await writeFile(join(directory, 'notes.txt'), 'not an answer');
    statuses = [];
    expect(frameChecksum(await caching().getDf())).toBe(frameChecksum(first));
    expect(new Set(statuses)).toEqual(new Set([200, 304]));
    expect(await readdir(directory)).toContain('notes.txt');
  });

  it('stays below its maximum, and evicts the least recently used', async () => {
    const cache = { directory, maxBytes: 40_000 };
    const some = SERIES.slice(0, 10);
    const client = caching({ cache });
    let written = 0;
    for (const start_date of ['1950-01-01', '1960-01-01', '1965-01-01', '1970-01-01']) {
      for (const series of some) {
        written += 44 * (await client.getDataPoints({ ...series, start_date })).length;
        await client.getDataPoints(SERIES[0]!);
        expect(await folderBytes()).toBeLessThanOrEqual(cache.maxBytes);
      }
    }
    expect(written).toBeGreaterThan(cache.maxBytes);
    const offline = caching({ cache, offline: true, fetch: unreachable });
    expect(await offline.getDataPoints(SERIES[0]!)).toHaveLength(40);
    expect(await offline.getDataPoints({ ...some.at(-1)!, start_date: '1970-01-01' })).toHaveLength(20);
    await expect(offline.getDataPoints({ ...SERIES[0]!, start_date: '1950-01-01' })).rejects.toThrow(
      /offline/,
    );
  });

  it('is safe for two processes at once', async () => {
    const source = join(import.meta.dirname, 'cache-writer.ts');
    const run = promisify(execFile);
    const writer = (seed: number) =>
      run(process.execPath, ['--import', 'tsx', source, directory, String(seed)]);
    const outputs = await Promise.all([writer(1), writer(2)]);
    for (const { stdout } of outputs) expect(stdout.trim()).toBe('wrong 0');
    expect(await folderBytes()).toBeLessThanOrEqual(200_000);
    expect((await readdir(directory)).filter((name) => name.endsWith('.draft'))).toEqual([]);
  });

  it('is ignored when its folder cannot be written', async () => {
    const file = join(directory, 'a-file');
    await writeFile(file, '');
    const client = caching({ cache: { directory: join(file, 'below') } });
    expect((await client.getDataPoints(SERIES[0]!)).length).toBe(40);
  });

  it('keeps answers of a service without ETags for offline use only', async () => {
    const untagged = async (request: Request): Promise<Response> => {
      const response = await noting(request);
      const headers = new Headers(response.headers);
      headers.delete('etag');
      return new Response(response.body, { status: response.status, headers });
    };
    const points = await caching({ fetch: untagged }).getDataPoints(SERIES[0]!);
    await caching({ fetch: untagged }).getDataPoints(SERIES[0]!);
    expect(statuses).toEqual([200, 200]);
    const offline = caching({ fetch: unreachable, offline: true, retry: AT_ONCE });
    expect(await offline.getDataPoints(SERIES[0]!)).toEqual(points);
  });
});

async function folderBytes(): Promise<number> {
  const names = await readdir(directory);
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(directory, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
