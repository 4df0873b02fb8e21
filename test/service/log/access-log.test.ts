import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { allowAnyone } from '../../../src/service/access/auth.js';
import { serve } from '../../../src/service/http/serve.js';
import type { LogEntry } from '../../../src/service/log/access-log.js';
import { createService } from '../../../src/service/service.js';
import type { Store } from '../../../src/store/store.js';
import { get, logIn, openTokenStore } from '../token-service.js';

let store: Store;
let entries: LogEntry[] = [];
const log = (entry: LogEntry): void => void entries.push(entry);
beforeAll(async () => {
  store = await openTokenStore({ token: 'hidden', name: 'notebook' });
});
afterAll(() => store.close());
beforeEach(() => {
  entries = [];
});

/** The store, except that one of its operations fails. */
function failing(operation: keyof Store, failure: Error): Store {
  return { ...store, [operation]: () => Promise.reject(failure) };
}

it('has an entry for each answer, with the holder and without secrets', async () => {
  const service = createService(store, { log });
  const answer = await get(service, '/v2/units?ids=1', 'hidden');
  await get(service, '/v2/units?ids=1', 'wrong-token');
  await logIn(service, 'hunter2');
  expect(
    entries.map(({ method, path, query, status, holder }) => [method, path, query, status, holder]),
  ).toEqual([
    ['GET', '/v2/units', '?ids=1', 200, 'notebook'],
    ['GET', '/v2/units', '?ids=1', 401, null],
    ['POST', '/api-token', '', 401, null],
  ]);
  expect(answer.headers.get('x-request-id')).toBe(entries[0]!.request_id);
  expect(JSON.stringify(entries)).not.toMatch(/hidden|wrong-token|hunter2/);
});

it.each([
  ['/v2/units?ids=1&ids=[2,3]', '/v2/units', '?ids=1&ids=[2,3]'],
  ['/v2/data?startDate=2012-01-01&insertNull=True', '/v2/data', '?startDate=2012-01-01&insertNull=True'],
  ['/v2/search/items?q=corn', '/v2/search/items', '?q=…'],
  ['/v2/units?access_token=12345&ids=secret', '/v2/units', '?access_token=…&ids=…'],
  ['/v2/units?hunter2&ids=7', '/v2/units', '?…&ids=7'],
  [`/v2/cf_${'a'.repeat(43)}`, '/v2/…', ''],
  [`/v2/units?ids=${'1,'.repeat(1500)}1`, '/v2/units', expect.stringMatching(/^\?ids=1,.{1980,2010}…$/)],
])('masks what may be secret in %s', async (address, path, query) => {
  const service = createService(store, { authorize: allowAnyone, log });
  await get(service, address);
  expect(entries).toMatchObject([{ path, query }]);
});

it('keeps a sane id of a request, and makes one otherwise, with a log or without', async () => {
  const service = createService(store, { authorize: allowAnyone });
  const idFor = async (given: string) => {
    const request = new Request('http://local/v2/units', { headers: { 'x-request-id': given } });
    return (await service(request)).headers.get('x-request-id');
  };
  expect(await idFor('trace-1:a/b')).toBe('trace-1:a/b');
  for (const odd of ['a b', '{"x":1}', 'x'.repeat(129), '']) {
    expect(await idFor(odd)).toMatch(/^[\da-f-]{36}$/);
  }
});

it('has a client that leaves in the middle of its request as aborted, without a stack', async () => {
  const service = createService(store, { authorize: allowAnyone, log });
  const serving = await serve(service, { port: 0 });
  const socket = connect(Number(new URL(serving.url).port), '127.0.0.1');
  const head = 'POST /v2/data HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json';
  socket.write(`${head}\r\ncontent-length: 1000\r\n\r\n[{"metricId"`, () =>
    setTimeout(() => socket.destroy(), 50),
  );
  await expect.poll(() => entries).toHaveLength(1);
  const answered = { status: 499, aborted: true, method: 'POST', address: '127.0.0.1' };
  expect(entries).toMatchObject([{ ...answered, path: '/v2/data' }]);
  expect(entries[0]!.failure).toBeUndefined();
  await serving.close();
});

it('has a second entry for an answer that breaks off after it began, with the reason', async () => {
  const authorize = async () => ({ name: 'all', rights: ['administer'] as const });
  const service = createService(failing('backup', new TypeError('a fault of ours')), { authorize, log });
  const answer = await service(new Request('http://local/v2/backups', { method: 'POST' }));
  expect(await answer.text()).toContain('in the log of the service');
  expect(entries.map(({ failure }) => failure?.split('\n')[0])).toEqual([
    undefined,
    'TypeError: a fault of ours',
  ]);
  expect(entries[1]!.request_id).toBe(entries[0]!.request_id);
});

it('has the details of an unexpected failure, which the answer does not contain', async () => {
  const service = createService(failing('lookup', new Error('the disk is on fire')), {
    authorize: allowAnyone,
    log,
  });
  const answer = await get(service, '/v2/units');
  expect(answer.status).toBe(500);
  expect(await answer.text()).not.toContain('fire');
  expect(entries[0]!.failure).toContain('the disk is on fire');
});
