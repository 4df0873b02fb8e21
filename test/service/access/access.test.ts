import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import {
  allowAnyone,
  hashPassword,
  hashToken,
  newToken,
  storeAuthorizer,
  verifyPassword,
} from '../../../src/service/access/auth.js';
import { LoginGuard } from '../../../src/service/access/login-guard.js';
import type { Service } from '../../../src/service/handler.js';
import type { LogEntry } from '../../../src/service/http/access-log.js';
import { RateLimit } from '../../../src/service/http/rate-limit.js';
import { serve } from '../../../src/service/http/serve.js';
import { createService } from '../../../src/service/service.js';
import { openStore } from '../../../src/store/open.js';
import type { Store, StoredToken } from '../../../src/store/store.js';

let store: Store | undefined;
afterEach(async () => {
  await store?.close();
  store = undefined;
});

const ask = (service: Service, path: string, token?: string): Promise<Response> =>
  service(
    new Request(
      `http://local${path}`,
      token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } },
    ),
  );

async function storeWith(...tokens: Partial<StoredToken & { token: string }>[]): Promise<Store> {
  store = await openStore(':memory:');
  for (const { token = '', ...rest } of tokens) {
    const standard = { name: 'test', email: null, createdMs: 0, expiresMs: null, revokedMs: null };
    await store.access.putToken({ ...standard, hash: hashToken(token), ...rest });
  }
  return store;
}

describe('passwords and tokens', () => {
  it('keeps passwords as salted scrypt hashes that only the password matches', async () => {
    const [one, other] = [await hashPassword('secret'), await hashPassword('secret')];
    expect(one).toMatch(/^scrypt\$/);
    expect(one).not.toBe(other);
    expect(one).not.toContain('secret');
    expect(await verifyPassword('secret', one)).toBe(true);
    expect(await verifyPassword('Secret', one)).toBe(false);
    expect(await verifyPassword('secret', 'plain')).toBe(false);
  });

  it('makes tokens of 256 random bits', () => {
    const tokens = new Set(Array.from({ length: 100 }, newToken));
    expect(tokens.size).toBe(100);
    for (const token of tokens) expect(token).toMatch(/^cf_[\w-]{43}$/);
  });

  it('tells unknown, revoked and expired tokens apart, and names the holder of a good one', async () => {
    const { access } = await storeWith(
      { token: 'good', name: 'notebook' },
      { token: 'gone', name: 'gone', revokedMs: 5 },
      { token: 'late', name: 'late', expiresMs: 100 },
    );
    const authorize = storeAuthorizer(access, () => 101);
    expect(await authorize('good')).toBe('notebook');
    await expect(authorize('gone')).rejects.toThrow('revoked');
    await expect(authorize('late')).rejects.toThrow('expired');
    await expect(authorize('other')).rejects.toThrow('unknown');
    await expect(authorize(null)).rejects.toThrow('the access token is missing');
  });
});

describe('limits', () => {
  it('lets each token make so many requests, then says when to come back', async () => {
    const service = createService(await storeWith({ token: 'a', name: 'a' }, { token: 'b', name: 'b' }), {
      requestsPerMinute: 3,
    });
    for (let i = 0; i < 3; i++) expect((await ask(service, '/v2/units?ids=1', 'a')).status).toBe(200);
    const refused = await ask(service, '/v2/units?ids=1', 'a');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({
      error: 'rate_limit',
      message: expect.stringContaining('3 requests'),
    });
    expect((await ask(service, '/v2/units?ids=1', 'b')).status).toBe(200);
    expect((await ask(service, '/health')).status).toBe(200);
  });

  it('makes room again as time passes', () => {
    let now = 0;
    const limit = new RateLimit({ amount: 2, perMs: 1000 }, () => now);
    limit.take('x', '/');
    limit.take('x', '/');
    expect(() => limit.take('x', '/')).toThrow(expect.objectContaining({ retryAfterMs: 500 }));
    now = 500;
    limit.take('x', '/');
    expect(() => limit.take('x', '/')).toThrow();
  });

  it('slows down who guesses passwords, but not who knows one', () => {
    let now = 0;
    const guard = new LoginGuard(() => now);
    for (let i = 0; i < 50; i++) {
      guard.checkAttempt('known@example.org');
      guard.reportSuccess('known@example.org');
    }
    for (let i = 0; i < 10; i++) guard.checkAttempt('guessed@example.org');
    expect(() => guard.checkAttempt('guessed@example.org')).toThrow(expect.objectContaining({ status: 429 }));
    guard.checkAttempt('known@example.org');
    now = 15 * 60_000;
    guard.checkAttempt('guessed@example.org');
  });

  it('answers a guesser with 429 on the wire', async () => {
    const service = createService(await storeWith());
    const guess = (): Promise<Response> =>
      service(
        new Request('http://local/api-token', {
          method: 'POST',
          body: new URLSearchParams({ email: 'a@b.c', password: 'x' }),
        }),
      );
    const statuses = [];
    for (let i = 0; i < 11; i++) statuses.push((await guess()).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
  });
});

describe('the log', () => {
  it('has a line for each answer, with the holder and without secrets', async () => {
    const lines: LogEntry[] = [];
    const service = createService(await storeWith({ token: 'hidden', name: 'notebook' }), {
      log: (line) => lines.push(line),
    });
    const answer = await ask(service, '/v2/units?ids=1', 'hidden');
    await ask(service, '/v2/units?ids=1', 'wrong-token');
    await service(
      new Request('http://local/api-token', {
        method: 'POST',
        body: new URLSearchParams({ email: 'a@b.c', password: 'hunter2' }),
      }),
    );
    expect(
      lines.map(({ method, path, query, status, holder }) => [method, path, query, status, holder]),
    ).toEqual([
      ['GET', '/v2/units', '?ids=1', 200, 'notebook'],
      ['GET', '/v2/units', '?ids=1', 401, null],
      ['POST', '/api-token', '', 401, null],
    ]);
    expect(answer.headers.get('x-request-id')).toBe(lines[0]!.request_id);
    expect(JSON.stringify(lines)).not.toMatch(/hidden|wrong-token|hunter2/);
  });

  it('has the reason of an unforeseen failure, which the answer has not', async () => {
    const lines: LogEntry[] = [];
    const broken = new Proxy(await storeWith(), {
      get: (target, name) =>
        name === 'list' ? () => Promise.reject(new Error('the disk is on fire')) : Reflect.get(target, name),
    });
    const answer = await ask(
      createService(broken, { authorize: allowAnyone, log: (line) => lines.push(line) }),
      '/v2/units',
    );
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain('fire');
    expect(lines[0]!.failure).toContain('the disk is on fire');
  });
});

describe('a served service', () => {
  it('finishes what is under way before it closes, and takes nothing new', async () => {
    let release: () => void = () => undefined;
    let started: () => void = () => undefined;
    const isStarted = new Promise<void>((resolve) => {
      started = resolve;
    });
    const slow: Service = async () => {
      started();
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return new Response('whole');
    };
    const serving = await serve(slow, { port: 0 });
    const answer = fetch(serving.url);
    await isStarted;
    const closed = serving.close();
    await expect(fetch(serving.url)).rejects.toThrow();
    release();
    expect(await (await answer).text()).toBe('whole');
    await closed;
  });

  it('ends the reading when the client leaves', async () => {
    let ended: () => void = () => undefined;
    const isEnded = new Promise<void>((resolve) => {
      ended = resolve;
    });
    let pulls = 0;
    const endless: Service = async () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            pulls++;
            controller.enqueue(new Uint8Array(65_536));
          },
          cancel: () => ended(),
        }),
      );
    const serving = await serve(endless, { port: 0 });
    const socket = connect(Number(new URL(serving.url).port), '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    await new Promise((resolve) => socket.once('readable', resolve));
    await new Promise((resolve) => setTimeout(resolve, 300));
    const whileStalled = pulls;
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(pulls - whileStalled).toBeLessThan(20);
    socket.destroy();
    await isEnded;
    await serving.close();
  });

  it('refuses half a TLS pair', async () => {
    await expect(serve(async () => new Response(), { port: 0, tlsCert: 'cert.pem' })).rejects.toThrow(/tls/);
  });
});
