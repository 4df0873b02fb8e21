import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { createFetcher, type Fetcher, type FetchSettings } from '../../../src/ingest/fetching/fetcher.js';
import { redirectTarget } from '../../../src/ingest/fetching/http-client.js';
import type { PlannedFile } from '../../../src/ingest/fetching/requests.js';
import { IngestError } from '../../../src/model/errors.js';
import { temporaryFolder } from '../../temporary-files.js';
import { agencyServer, serveError, serveFile, tunnelProxy } from './agency-server.js';

const server = agencyServer();
const other = agencyServer();
const proxy = tunnelProxy();
const root = temporaryFolder();

const CONTENT = 'header\n'.padEnd(200_000, 'row of a file\n');
const NEWER = 'header\n'.padEnd(200_000, 'row of a newer\n');
const DAY = 'Sat, 21 Nov 2020 08:00:00 GMT';
const RETRY = { betweenMs: 0, firstWaitMs: 1, maxRetryAfterMs: 2000, retries: 3 };

let cache: string;
let wanted: PlannedFile;
let fetcher: Fetcher;

function fetcherWith(settings: Partial<FetchSettings> = {}): Fetcher {
  const env = { XDG_CACHE_HOME: cache };
  return createFetcher('nass', { env, userAgent: 'cropframe/test', retry: RETRY, ...settings });
}

beforeEach(() => {
  server.reset();
  other.reset();
  wanted = { address: `${server.origin}/data/file.csv`, name: 'file.csv' };
  cache = mkdtempSync(join(root, 'cache-'));
  fetcher = fetcherWith();
});

/** Every file below the cache folder. */
function cachedFiles(): string[] {
  return readdirSync(cache, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name));
}

/** The first bytes of a file, which have arrived when a file of the cache holds them. */
const onDisk = (bytes: number) => ({
  bytes,
  hasArrived: (total: number) => cachedFiles().some((path) => statSync(path).size === total),
});

const BREAKS = { breakAfter: onDisk(60_000) };

/** The text of a file that is fetched. */
const textOf = async (file: PlannedFile = wanted, from: Fetcher = fetcher): Promise<string> =>
  readFileSync((await from.file(file)).path, 'utf8');

/** Answers the address of the wanted file with a redirect. */
const redirect = (location: string) =>
  server.on('/data/file.csv', (_request, response) => void response.writeHead(302, { location }).end());

async function messageOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(IngestError);
  return (error as IngestError).message;
}

describe('a file', () => {
  it('is kept whole under its name, readable by its owner alone', async () => {
    server.on(
      '/data/file.csv',
      serveFile(CONTENT, { etag: '"1"', lastModified: 'Sat, 21 Nov 2026 08:00:00 GMT' }),
    );
    const { path, file } = await fetcher.file(wanted);
    expect(readFileSync(path, 'utf8')).toBe(CONTENT);
    expect(path.startsWith(join(cache, 'cropframe'))).toBe(true);
    expect(path.endsWith('/file.csv')).toBe(true);
    expect(file).toMatchObject({ address: wanted.address, etag: '"1"', bytes: CONTENT.length });
    for (const each of cachedFiles()) expect(statSync(each).mode & 0o077, each).toBe(0);
    expect(server.requests[0]!.headers).toMatchObject({
      'user-agent': 'cropframe/test',
      'accept-encoding': 'identity',
    });
  });

  it.each([66_000, 100_000, 400_000, 3_000_000])(
    'of %i bytes is kept when the server closes the connection',
    async (bytes) => {
      const content = CONTENT.padEnd(bytes, 'row of a file\n').slice(0, bytes);
      server.on('/data/file.csv', (_request, response) => {
        response.writeHead(200, { connection: 'close', 'content-length': bytes }).end(content);
      });
      expect(await textOf()).toBe(content);
    },
  );

  it('is not sent again while it is the newest', async () => {
    server.on('/data/file.csv', serveFile(CONTENT, { etag: '"1"' }));
    const first = await fetcher.file(wanted);
    expect(await fetcher.file(wanted)).toEqual(first);
    expect(server.requests[1]!.headers['if-none-match']).toBe('"1"');
    expect(await fetcher.newest(wanted, first.file)).toBeNull();
    server.on('/data/file.csv', serveFile(NEWER, { etag: '"2"' }));
    const newer = await fetcher.newest(wanted, first.file);
    expect(readFileSync(newer!.path, 'utf8')).toBe(NEWER);
    expect(cachedFiles().filter((path) => path.endsWith('file.csv'))).toEqual([newer!.path]);
  });

  it('that was damaged in the cache is fetched again', async () => {
    server.on('/data/file.csv', serveFile(CONTENT, { etag: '"1"' }));
    const { path } = await fetcher.file(wanted);
    writeFileSync(path, CONTENT.replace('row', 'wor'));
    expect(await textOf()).toBe(CONTENT);
  });

  it('without ETag and date is compared by its content', async () => {
    server.on('/data/file.csv', serveFile(CONTENT));
    const { file } = await fetcher.file(wanted);
    expect(await fetcher.newest(wanted, file)).toBeNull();
    server.on('/data/file.csv', serveFile(NEWER));
    expect(await fetcher.newest(wanted, file)).not.toBeNull();
  });
});

describe('a transfer that breaks', () => {
  it('goes on where it ended, with If-Range', async () => {
    server.on('/data/file.csv', (request, response, nth) =>
      serveFile(CONTENT, { etag: '"1"', ...(nth < 4 && BREAKS) })(request, response, nth),
    );
    expect(await textOf()).toBe(CONTENT);
    const ranges = server.requests.map(({ headers }) => headers.range);
    expect(ranges).toEqual([undefined, 'bytes=60000-', 'bytes=120000-', 'bytes=180000-']);
    expect(server.requests[1]!.headers['if-range']).toBe('"1"');
  });

  it.each([
    ['another date and no ETag', {}],
    ['another date and the same weak ETag', { etag: 'W/"1"' }],
  ])('begins anew when a server sends the rest of a file with %s', async (_, headers) => {
    const day = (n: number) => ({ ...headers, lastModified: `Sat, 2${n} Nov 2026 08:00:00 GMT` });
    server.on('/data/file.csv', (request, response, nth) => {
      if (nth === 1) return serveFile(CONTENT, { ...day(1), ...BREAKS })(request, response, nth);
      delete request.headers['if-range'];
      serveFile(NEWER, day(2))(request, response, nth);
    });
    expect(await textOf()).toBe(NEWER);
    expect(server.requests.map(({ headers: sent }) => sent.range)).toEqual([
      undefined,
      'bytes=60000-',
      undefined,
    ]);
  });

  it('goes on in a later process too', async () => {
    server.on('/data/file.csv', serveFile(CONTENT, { etag: '"1"', breakAfter: onDisk(50_000) }));
    const stop = new AbortController();
    const stopped = fetcherWith({
      signal: stop.signal,
      onProgress: () => stop.abort(new Error('stopped')),
    });
    await expect(stopped.file(wanted)).rejects.toThrow('stopped');
    const [part] = cachedFiles().filter((path) => path.endsWith('.part'));
    const arrived = statSync(part!).size;
    expect(arrived).toBeGreaterThan(0);
    server.on('/data/file.csv', serveFile(CONTENT, { etag: '"1"' }));
    expect(await textOf()).toBe(CONTENT);
    expect(server.requests.at(-1)!.headers.range).toBe(`bytes=${arrived}-`);
    expect(cachedFiles().filter((path) => path.endsWith('.part'))).toEqual([]);
  });

  it.each([
    ['another ETag', { etag: '"2"' }, NEWER],
    ['another length', { etag: '"1"' }, NEWER.slice(0, 150_000)],
  ])('begins anew when the server ignores If-Range and sends the rest of %s', async (_what, known, newer) => {
    server.on('/data/file.csv', (request, response, nth) => {
      if (nth === 1) return serveFile(CONTENT, { etag: '"1"', ...BREAKS })(request, response, nth);
      delete request.headers['if-range'];
      serveFile(newer, known)(request, response, nth);
    });
    expect(await textOf()).toBe(newer);
  });

  const RANGE = { 'content-range': `bytes 60000-${CONTENT.length - 1}/${CONTENT.length}` };
  const ETAG = { etag: '"1"' };
  it.each<[string, { etag?: string; lastModified?: string }, Record<string, string>, status?: number]>([
    ['names no version', ETAG, RANGE],
    ['names a weak version', ETAG, { ...RANGE, etag: 'W/"1"' }],
    ['names a date in place of an ETag', { ...ETAG, lastModified: DAY }, { ...RANGE, 'last-modified': DAY }],
    ['names no date', { lastModified: DAY }, RANGE],
    ['names a date of just now', { lastModified: new Date(Date.now() + 1e8).toUTCString() }, RANGE],
    ['is of another length', ETAG, { ...ETAG, 'content-range': 'bytes 60000-99999/100000' }],
    ['is another range', ETAG, { ...ETAG, 'content-range': 'bytes 0-139999/200000' }],
    ['states no length', ETAG, { ...ETAG, 'content-range': 'bytes 60000-199999/*' }],
    ['is several ranges', ETAG, { ...ETAG, ...RANGE, 'content-type': 'multipart/byteranges; boundary=x' }],
    ['is encoded', ETAG, { ...ETAG, ...RANGE, 'content-encoding': 'gzip' }],
    ['is a 304', ETAG, ETAG, 304],
    ['is a 416', ETAG, ETAG, 416],
  ])('begins anew when a range %s', async (_, first, rest, status = 206) => {
    server.on('/data/file.csv', (request, response, nth) => {
      if (nth === 1) return serveFile(CONTENT, { ...first, ...BREAKS })(request, response, nth);
      if (request.headers.range === undefined) return serveFile(NEWER)(request, response, nth);
      response.writeHead(status, rest).end(status === 206 ? NEWER.slice(60_000) : undefined);
    });
    expect(await textOf()).toBe(NEWER);
  });

  it('begins anew without anything that identifies the version', async () => {
    server.on('/data/file.csv', (request, response, nth) =>
      serveFile(CONTENT, { etag: 'W/"1"', ...(nth === 1 && BREAKS) })(request, response, nth),
    );
    expect(await textOf()).toBe(CONTENT);
    expect(server.requests[1]!.headers.range).toBeUndefined();
  });

  it('that stops is broken off, and goes on', async () => {
    server.on('/data/file.csv', (request, response, nth) => {
      if (nth > 1) return serveFile(CONTENT, { etag: '"1"' })(request, response, nth);
      response.writeHead(200, { etag: '"1"', 'content-length': CONTENT.length });
      response.write(CONTENT.slice(0, 1000));
    });
    const impatient = fetcherWith({ idleMs: 300 });
    expect(await textOf(wanted, impatient)).toBe(CONTENT);
    expect(server.requests[1]!.headers.range).toBe('bytes=1000-');
  });

  it('fails when it always ends at the same place, and keeps nothing as whole', async () => {
    server.on('/data/file.csv', (_request, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('x', () => setTimeout(() => response.destroy(), 5));
    });
    expect(await messageOf(fetcher.file(wanted))).toContain('the connection was lost');
    // The count begins anew once, with the first byte that arrives.
    expect(server.requests.length).toBeLessThanOrEqual(2 * (1 + RETRY.retries));
    expect(cachedFiles().filter((path) => path.endsWith('file.csv'))).toEqual([]);
  });
});

describe('a server', () => {
  it.each([
    [403, 'the server refuses the request (403)'],
    [404, 'there is no such file (404); addresses can change'],
    [401, 'requires a login (401)'],
  ])('that answers %s is not asked again', async (status, reason) => {
    server.on('/data/file.csv', serveError(status));
    const message = await messageOf(fetcher.file({ ...wanted, address: `${wanted.address}?key=secret` }));
    expect(message).toContain(reason);
    expect(message).toContain('download it with a browser');
    expect(message).not.toContain('secret');
    expect(server.requests).toHaveLength(1);
  });

  it.each([429, 503])('that is busy (%s) is asked again after the wait it asks for', async (status) => {
    let opensAt = Number.POSITIVE_INFINITY;
    server.on('/data/file.csv', (request, response, nth) => {
      if (nth > 1)
        return (Date.now() < opensAt ? serveError(403) : serveFile(CONTENT))(request, response, nth);
      opensAt = Date.now() + 990;
      serveError(status, { 'retry-after': '1' })(request, response, nth);
    });
    await fetcher.file(wanted);
    expect(server.requests).toHaveLength(2);
  });

  it('that asks for a long wait is left alone, and the wait is named', async () => {
    server.on('/data/file.csv', serveError(429, { 'retry-after': '7200' }));
    expect(await messageOf(fetcher.file(wanted))).toContain('asks clients to wait 7200 s');
    expect(server.requests).toHaveLength(1);
  });

  it('that fails is asked a few times', async () => {
    server.on('/data/file.csv', serveError(500));
    expect(await messageOf(fetcher.file(wanted))).toContain('the server responded with status 500');
    expect(server.requests).toHaveLength(1 + RETRY.retries);
  });

  it('that sends a web page with status 200 gives no file', async () => {
    server.on('/data/file.csv', serveFile('<!DOCTYPE html>\n<html><body>Sign in</body></html>'));
    expect(await messageOf(fetcher.file(wanted))).toContain('a web page instead of the file');
    expect(cachedFiles()).toEqual([]);
  });

  it('that encodes the file is refused, but for gzip, which importers unpack', async () => {
    server.on(
      '/data/file.csv',
      (_request, response) => void response.writeHead(200, { 'content-encoding': 'br' }).end('x'),
    );
    expect(await messageOf(fetcher.file(wanted))).toContain('encoded as br');
    const packed = gzipSync(CONTENT);
    server.on(
      '/data/file.csv',
      (_request, response) =>
        void response
          .writeHead(200, { 'content-encoding': 'x-gzip', 'content-length': packed.length })
          .end(packed),
    );
    expect(readFileSync((await fetcher.file(wanted)).path)).toEqual(packed);
  });

  it('that is not there is named', async () => {
    const message = await messageOf(
      fetcher.file({ address: 'http://127.0.0.1:9/file.csv', name: 'file.csv' }),
    );
    expect(message).toContain('http://127.0.0.1:9/file.csv cannot be fetched: the connection was refused');
  });
});

describe('redirects', () => {
  it('are followed, and never carry a login to another origin', async () => {
    const login = wanted.address.replace('http://', 'http://user:pass%40word@');
    redirect('/moved');
    server.on(
      '/moved',
      (_request, response) => void response.writeHead(301, { location: `${other.origin}/file.csv` }).end(),
    );
    other.on('/file.csv', serveFile(CONTENT));
    const { file } = await fetcher.file({ ...wanted, address: login });
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      `Basic ${Buffer.from('user:pass@word').toString('base64')}`,
      `Basic ${Buffer.from('user:pass@word').toString('base64')}`,
    ]);
    expect(other.requests[0]!.headers.authorization).toBeUndefined();
    expect(file.address).toBe(wanted.address);
    for (const path of cachedFiles()) expect(readFileSync(path, 'utf8')).not.toContain('word');
  });

  it('in a circle end', async () => {
    redirect('/data/file.csv');
    expect(await messageOf(fetcher.file(wanted))).toContain('redirected more than 10 times');
  });

  it('to something else than a web address are refused', async () => {
    redirect('file:///etc/passwd');
    expect(await messageOf(fetcher.file(wanted))).toContain('is not a web address');
  });

  it.each([
    ['https://a.example/x', '/y', 'https://a.example/y'],
    ['http://a.example/x', 'https://a.example/x', 'https://a.example/x'],
  ])('lead from %s by %s', (from, location, to) => {
    expect(redirectTarget(new URL(from), location).href).toBe(to);
  });

  it('from https to http are refused', () => {
    expect(() => redirectTarget(new URL('https://a.example/x?key=1'), 'http://a.example/x')).toThrow(
      'https://a.example/x?… redirects from https to http',
    );
  });
});

describe('proxies', () => {
  it.each(['127.0.0.1', '127.0.0.1:PORT', '*', '.0.1', 'x, *.0.1'])('are left out for %s', async (entry) => {
    server.on('/data/file.csv', serveFile(CONTENT));
    proxy.tunnels.length = 0;
    const no_proxy = entry.replace('PORT', new URL(server.origin).port);
    const env = { XDG_CACHE_HOME: cache, http_proxy: proxy.origin, no_proxy };
    await fetcherWith({ env }).file(wanted);
    expect(proxy.tunnels).toEqual([]);
  });

  it.each(['http_proxy', 'HTTP_PROXY'])('are read from %s', async (name) => {
    server.on('/data/file.csv', serveFile(CONTENT));
    proxy.tunnels.length = 0;
    const proxied = fetcherWith({ env: { XDG_CACHE_HOME: cache, [name]: proxy.origin } });
    await proxied.file(wanted);
    expect(proxy.tunnels).toEqual([new URL(server.origin).host]);
  });

  it('that are no address are named', () => {
    expect(() => fetcherWith({ env: { HTTPS_PROXY: 'no address' } })).toThrow(/HTTP_PROXY or HTTPS_PROXY/);
  });
});

it('a mirror has the files under the names of their hosts', async () => {
  server.on('/copy/agency.example/a/file.csv', serveFile(CONTENT));
  const mirrored = fetcherWith({ mirror: `${server.origin}/copy/` });
  const { file } = await mirrored.file({ address: 'https://agency.example/a/file.csv', name: 'file.csv' });
  expect(file.address).toBe('https://agency.example/a/file.csv');
  expect(() => fetcherWith({ mirror: 'nowhere' })).toThrow('the mirror "nowhere" is not a web address');
});

it('a cache folder that cannot be written is named', async () => {
  server.on('/data/file.csv', serveFile(CONTENT));
  const file = join(cache, 'a-file');
  writeFileSync(file, '');
  const cannot = fetcherWith({ env: { XDG_CACHE_HOME: file } });
  expect(await messageOf(cannot.file(wanted))).toContain(
    `cannot be saved in the cache folder ${file}/cropframe`,
  );
});

it('two processes never write the same part', async () => {
  let serve = () => {};
  const asked = new Promise<void>((resolve) => {
    server.on('/data/file.csv', (request, response, nth) => {
      serve = () => void serveFile(CONTENT, { etag: '"1"' })(request, response, nth);
      resolve();
    });
  });
  const first = fetcher.file(wanted);
  await asked;
  await expect(fetcherWith().file(wanted)).rejects.toThrow('another process is fetching it');
  serve();
  await first;
});
