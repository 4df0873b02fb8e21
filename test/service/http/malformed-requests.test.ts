import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { countRuns, firstSeed, listCounts, tellFigures, timeLimit } from '../../endurance.js';
import { pick, seededRandom } from '../../journeys/seeded-random.js';
import { type Served, serveStore, TOKEN } from '../serving-store.js';

const RUNS = countRuns({ quick: 50, all: 2_000 });
const FIRST_SEED = firstSeed(1);
/** Shorter than the service waits for the rest of a request. */
const QUIET_MS = 250;
const MAX_MS = 20_000;
const HANGING = 'neither answered nor closed';

let served: Served;
const failures: string[] = [];
beforeAll(async () => {
  served = await serveStore({
    log: ({ status, path, failure }) => {
      if (status >= 500) failures.push(`${status} ${path}: ${failure}`);
    },
  });
});
afterAll(() => served?.close());

const SELECTION = { metricId: 2, itemId: 274, regionId: 250, sourceId: 22, frequencyId: 9 };
const HEADERS = ['Host: 127.0.0.1', `Authorization: Bearer ${TOKEN}`, 'Connection: close'];

function request(line: string, headers: readonly string[] = [], body: Uint8Array = Buffer.alloc(0)): Buffer {
  const length = body.length > 0 ? [`Content-Length: ${body.length}`] : [];
  const head = [`${line} HTTP/1.1`, ...HEADERS, ...headers, ...length].join('\r\n');
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`), body]);
}

const JSON_TYPE = 'Content-Type: application/json';
const BODY = Buffer.from(JSON.stringify([SELECTION, { ...SELECTION, itemId: 270 }]));

/** Valid requests of every form: with a query, a JSON body, a form, in chunks, compressed, two at once. */
const VALID: readonly Buffer[] = [
  request('GET /health'),
  request('GET /v2/regions?ids=1&ids=[21,22]'),
  request('GET /v2/search/regions?q=New%20York%C3%BC', ['Accept-Encoding: gzip, zstd']),
  request(`GET /v2/data?${new URLSearchParams(Object.entries(SELECTION).map(([k, v]) => [k, String(v)]))}`),
  request('POST /v2/data', [JSON_TYPE, 'Accept: application/vnd.apache.arrow.stream'], BODY),
  request(
    'POST /v2/geocode',
    ['Content-Type: application/x-www-form-urlencoded'],
    Buffer.from('latlng=[[47,-122]]'),
  ),
  request(
    'POST /api-token',
    ['Content-Type: application/x-www-form-urlencoded'],
    Buffer.from('email=a&password=b'),
  ),
  Buffer.concat([
    request('POST /v2/data', [JSON_TYPE, 'Transfer-Encoding: chunked']),
    Buffer.from(`${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`),
  ]),
  Buffer.concat([request('GET /v2/units?ids=1'), request('GET /v2/items')]),
];

/** What breaks parsers of HTTP, of queries and of JSON. */
const NASTY = [
  '\r\n',
  '\n',
  '\0',
  ' ',
  '\x80\xff',
  '%',
  '%00',
  '%ff%fe',
  '..%2f..%2f',
  '//',
  '?',
  '#',
  'HTTP/9.9',
  'Content-Length: 5\r\n',
  'Content-Length: -1\r\n',
  'Transfer-Encoding: gzip, chunked\r\n',
  'Expect: 100-continue\r\n',
  'Upgrade: websocket\r\nConnection: Upgrade\r\n',
  'Host: a b\r\n',
  'If-None-Match: "\r\n',
  'Range: bytes=0-\r\n',
  '[[[[[[[[',
  '{"__proto__":1}',
  '1e400',
  '\\ud800',
  'ffffffffffffffff\r\n',
  'x'.repeat(20_000),
];

/** A place in the request line, the headers or the body, as often in each. */
function placeIn(bytes: Buffer, random: () => number): number {
  const [line, head] = [bytes.indexOf('\r\n'), bytes.indexOf('\r\n\r\n') + 4].map((end) => Math.max(0, end));
  const [from, to] = pick(random, [
    [0, line!],
    [line!, head!],
    [head!, bytes.length],
  ] as const);
  return Math.min(bytes.length, from + Math.floor(random() * (to - from + 1)));
}

function mutated(random: () => number): Buffer {
  let bytes: Buffer = Buffer.from(pick(random, VALID));
  for (let times = Math.ceil(random() * 3); times > 0; times--) {
    const at = placeIn(bytes, random);
    const end = at + Math.floor(random() * 20);
    const [before, within, after] = [bytes.subarray(0, at), bytes.subarray(at, end), bytes.subarray(end)];
    const middle = pick(random, [
      () => Buffer.alloc(0),
      () => Buffer.concat([within, within]),
      () => Buffer.from(pick(random, NASTY), 'latin1'),
      () => Buffer.from(within).reverse(),
      () => Buffer.from(within.map((byte) => byte ^ (1 << Math.floor(random() * 8)))),
    ])();
    bytes = Buffer.concat([before, middle, random() < 0.1 ? Buffer.alloc(0) : after]);
  }
  return bytes;
}

/**
 * Sends bytes, and says that no more will come when nothing has been answered for a while.
 * @returns the status of the first answer, or how the connection ended without one
 */
function send(bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(served.url);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    let answer = '';
    let ending = 'closed without an answer';
    const late = setTimeout(() => {
      ending = HANGING;
      socket.destroy();
    }, MAX_MS);
    socket.on('connect', () => socket.write(bytes));
    socket.on('data', (piece) => {
      answer += piece.toString('latin1');
    });
    socket.setTimeout(QUIET_MS, () => socket.end());
    socket.on('end', () => socket.destroySoon());
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(late);
      resolve(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? ending);
    });
  });
}

it(`answers ${RUNS} malformed requests over sockets, none with 5xx`, {
  timeout: timeLimit(180_000),
}, async () => {
  const random = seededRandom(FIRST_SEED);
  const outcomes = new Map<string, number>();
  for (let run = 0; run < RUNS; run += 8) {
    const batch = Array.from({ length: Math.min(8, RUNS - run) }, () => mutated(random));
    for (const outcome of await Promise.all(batch.map(send)))
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  tellFigures(`${RUNS} malformed requests over sockets, seed ${FIRST_SEED}: ${listCounts(outcomes)}`);
  expect(failures).toEqual([]);
  expect([...outcomes.keys()].filter((outcome) => outcome.startsWith('5') || outcome === HANGING)).toEqual(
    [],
  );
  expect(outcomes.get('400')).toBeGreaterThan(RUNS / 20);
  expect((await served.get('/health')).status).toBe(200);
});

it.each([
  ['several Host headers', request('GET /health', ['Host: other.example']), '400'],
  [
    'a compressed body',
    request('POST /v2/data', [JSON_TYPE, 'Content-Encoding: gzip'], gzipSync(BODY)),
    '415',
  ],
])('refuses %s', async (_, bytes, status) => {
  expect(await send(bytes)).toBe(status);
});
