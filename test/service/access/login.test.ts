import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hashToken } from '../../../src/service/access/auth.js';
import { serve } from '../../../src/service/http/serve.js';
import type { LogEntry } from '../../../src/service/log/access-log.js';
import { createService } from '../../../src/service/service.js';
import { openStore } from '../../../src/store/open.js';
import { get, logIn, openTokenStore } from '../token-service.js';
import { QUICK_HASH } from './quick-hash.js';

it('gives a token that may read and that expires', async () => {
  const store = await openTokenStore();
  await store.access.putUser({ email: 'a@b.c', passwordHash: QUICK_HASH });
  const before = Date.now();
  const answer = await logIn(createService(store, { loginTtlMs: 60_000 }), 'right');
  const { data } = (await answer.json()) as { data: { accessToken: string } };
  const stored = await store.access.tokenByHash(hashToken(data.accessToken));
  expect(stored).toMatchObject({ name: 'login a@b.c', email: 'a@b.c', rights: ['read'], login: true });
  expect(stored!.expiresMs! - before).toBeGreaterThanOrEqual(60_000);
  expect(stored!.expiresMs! - stored!.createdMs).toBe(60_000);
  const half = await logIn(createService(store), 'right');
  const { accessToken } = ((await half.json()) as { data: { accessToken: string } }).data;
  const standard = await store.access.tokenByHash(hashToken(accessToken));
  expect(standard!.expiresMs! - standard!.createdMs).toBe(12 * 3_600_000);
  await store.close();
});

it('never locks the owner of an email out: another address is not affected by wrong passwords', async () => {
  const store = await openTokenStore();
  await store.access.putUser({ email: 'a@b.c', passwordHash: QUICK_HASH });
  const serving = await serve(createService(store, { trustProxy: true }), { port: 0 });
  const logInFrom = (address: string, password: string) => {
    const body = new URLSearchParams({ email: 'a@b.c', password });
    const headers = { 'x-forwarded-for': address };
    return fetch(`${serving.url}/api-token`, { method: 'POST', body, headers });
  };
  const wrong = [];
  for (let i = 0; i < 30; i++) wrong.push((await logInFrom('203.0.113.9', 'wrong')).status);
  expect(wrong.slice(0, 11)).toEqual([...Array(10).fill(401), 429]);
  const refused = await logInFrom('203.0.113.9', 'right');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await refused.text()).toContain('wrong passwords for this email: the limit is 10 at once');
  expect((await logInFrom('198.51.100.1', 'right')).status).toBe(200);
  await serving.close();
  await store.close();
});

it('says nothing of the place of a damaged file of tokens, which the log names', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cropframe-login-'));
  const path = join(folder, 'farm.duckdb');
  const store = await openStore(path);
  writeFileSync(`${path}.access.json`, '{"version": 1');
  const entries: LogEntry[] = [];
  const serving = await serve(createService(store, { log: (entry) => entries.push(entry) }), { port: 0 });
  const service = (request: Request) => fetch(request.url.replace('http://local', serving.url), request);
  for (const answer of [await get(service, '/v2/units', 'x'), await logIn(service, 'x')]) {
    expect(answer.status).toBe(503);
    const text = await answer.text();
    expect(text).not.toContain(folder);
    expect(text).toContain('an administrator can find the reason');
  }
  for (const { failure } of entries) expect(failure).toContain(`${path}.access.json is damaged; restore it`);
  await serving.close();
  await store.close();
  rmSync(folder, { recursive: true });
});
