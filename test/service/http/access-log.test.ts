import { expect, it } from 'vitest';
import { allowAnyone } from '../../../src/service/access/auth.js';
import type { LogEntry } from '../../../src/service/http/access-log.js';
import { createService } from '../../../src/service/service.js';
import { get, logIn, openTokenStore } from '../token-service.js';

it('has an entry for each answer, with the holder and without secrets', async () => {
  const store = await openTokenStore({ token: 'hidden', name: 'notebook' });
  const entries: LogEntry[] = [];
  const service = createService(store, { log: (entry) => entries.push(entry) });
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
  await store.close();
});

it('has the details of an unexpected failure, which the answer does not contain', async () => {
  const store = await openTokenStore();
  const broken = new Proxy(store, {
    get: (target, name) =>
      name === 'list' ? () => Promise.reject(new Error('the disk is on fire')) : Reflect.get(target, name),
  });
  const entries: LogEntry[] = [];
  const service = createService(broken, { authorize: allowAnyone, log: (entry) => entries.push(entry) });
  const answer = await get(service, '/v2/units');
  expect(answer.status).toBe(500);
  expect(await answer.text()).not.toContain('fire');
  expect(entries[0]!.failure).toContain('the disk is on fire');
  await store.close();
});
