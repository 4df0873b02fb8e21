import { describe, expect, it, vi } from 'vitest';
import type { RequestAttempt } from '../../../src/http/retries.js';
import {
  AuthenticationError,
  ContractError,
  HttpError,
  NetworkError,
  NotFoundError,
  RateLimitError,
  TimeoutError,
} from '../../../src/model/errors.js';
import { json, type Scripted, scripted } from '../answering.js';

const HITS = [{ id: 7 }];
const SEARCH = { path: { type: 'items' }, query: { q: 'corn' } } as const;
const problem = (status: number, headers: Record<string, string> = {}) =>
  json({ error: 'x', message: 'because' }, { status, headers });

describe('retries', () => {
  it.each<[string, Scripted]>([
    ['a network failure', new TypeError('fetch failed')],
    ['408', problem(408)],
    ['429', problem(429)],
    ['500', problem(500)],
    ['502', problem(502)],
    ['503', problem(503)],
    ['another content type', new Response('<html>', { headers: { 'content-type': 'text/html' } })],
    ['half an answer', new Response('[{"id":', { headers: { 'content-type': 'application/json' } })],
    ['a 301 to nowhere', new Response('moved', { status: 301 })],
    ['a 304 that nobody asked for', new Response(null, { status: 304 })],
  ])('asks again after %s', async (_, failure) => {
    const { transport, requests } = scripted([failure, failure, json(HITS)]);
    expect(await transport.json('search', SEARCH)).toEqual(HITS);
    expect(requests).toHaveLength(3);
  });

  it('tells a logger of each attempt, without the token', async () => {
    const attempts: RequestAttempt[] = [];
    const script = [new TypeError('fetch failed'), problem(503), json(HITS)];
    const { transport } = scripted(script, { logger: (attempt) => attempts.push(attempt) });
    await transport.json('search', SEARCH);
    const durationMs = expect.any(Number);
    expect(attempts).toEqual([
      {
        endpoint: 'search',
        attempt: 1,
        status: null,
        durationMs,
        error: expect.stringContaining('could not be reached'),
        retryInMs: 0,
      },
      {
        endpoint: 'search',
        attempt: 2,
        status: 503,
        durationMs,
        error: 'search returned 503: because',
        retryInMs: 0,
      },
      { endpoint: 'search', attempt: 3, status: 200, durationMs },
    ]);
    expect(JSON.stringify(attempts)).not.toContain('secret');
  });

  it.each([
    ['an answer of another shape', json({ data: 'none' })],
    ['a redirect', problem(302, { location: 'https://other.invalid/' })],
  ])('raises what can never fit at once: %s', async (_, misfit) => {
    const { transport, requests } = scripted([misfit, json(HITS)]);
    await expect(transport.json('search', SEARCH)).rejects.toBeInstanceOf(ContractError);
    expect(requests).toHaveLength(1);
  });

  it('takes a 204 for nothing where the contract has it, else for an error', async () => {
    const empty = new Response(null, { status: 204 });
    const { transport } = scripted([empty, empty]);
    expect(await transport.json('rankedSources', {})).toEqual([]);
    await expect(transport.json('seriesList', {})).rejects.toThrow('seriesList: responded with 204');
  });

  it.each([
    [400, HttpError],
    [401, AuthenticationError],
    [402, HttpError],
    [404, NotFoundError],
  ])('never asks again after %i', async (status, kind) => {
    const { transport, requests } = scripted([problem(status)]);
    const asked = transport.json('search', SEARCH);
    await expect(asked).rejects.toBeInstanceOf(kind);
    await expect(asked).rejects.toMatchObject({
      status,
      endpoint: 'search',
      message: expect.stringContaining('because'),
    });
    expect(requests).toHaveLength(1);
  });

  it('says how a certificate that nobody known has signed is trusted', async () => {
    const cause = Object.assign(new Error('self-signed certificate'), {
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    });
    const { transport } = scripted(Array(10).fill(new TypeError('fetch failed', { cause })));
    await expect(transport.json('search', SEARCH)).rejects.toThrow(
      /self-signed certificate.*NODE_EXTRA_CA_CERTS/,
    );
  });

  it('end after the given number, with the last failure', async () => {
    const retry = { retries: 2, firstWaitMs: 0, maxWaitMs: 0 };
    const { transport, requests } = scripted([new TypeError('fetch failed')], { retry });
    await expect(transport.json('search', SEARCH)).rejects.toBeInstanceOf(NetworkError);
    expect(requests).toHaveLength(3);
    const four = scripted([problem(500)]);
    await expect(four.transport.json('search', SEARCH)).rejects.toMatchObject({ status: 500 });
    expect(four.requests).toHaveLength(5);
  });

  it('wait a random time up to a maximum that doubles, and at least as long as the service asks', async () => {
    vi.useFakeTimers();
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const timeout = vi.spyOn(globalThis, 'setTimeout');
    try {
      const waits: number[] = [];
      const script = [problem(500), problem(500), problem(503, { 'retry-after': '7' }), json(HITS)];
      const { transport } = scripted(script, { retry: { firstWaitMs: 100, maxWaitMs: 150 } });
      const asked = transport.json('search', SEARCH);
      await vi.runAllTimersAsync();
      await asked;
      for (const [, ms] of timeout.mock.calls)
        if (ms !== undefined && ms < 60_000) waits.push(Math.round(ms));
      expect(waits).toEqual([50, 75, 75, 6925]);
    } finally {
      // Restored after the real timers, as vitest does at the end of a file, the spy would bring the stopped ones back.
      vi.restoreAllMocks();
      vi.useRealTimers();
    }
  });

  it('hold every request back while the service asks to wait', async () => {
    vi.useFakeTimers();
    try {
      const { transport, requests } = scripted([problem(429, { 'retry-after': '30' }), json(HITS)]);
      const first = transport.json('search', SEARCH);
      await vi.advanceTimersByTimeAsync(1000);
      const second = transport.json('search', SEARCH);
      await vi.advanceTimersByTimeAsync(28_000);
      expect(requests).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(2000);
      expect(await Promise.all([first, second])).toEqual([HITS, HITS]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('end when the service asks for a very long wait, and report it', async () => {
    const { transport, requests } = scripted([problem(429, { 'retry-after': '86400' })]);
    const asked = transport.json('search', SEARCH);
    await expect(asked).rejects.toBeInstanceOf(RateLimitError);
    await expect(asked).rejects.toMatchObject({ retryAfterMs: 86_400_000 });
    expect(requests).toHaveLength(1);
  });
});

it('carries the id under which the service logged a refused request', async () => {
  const fail = (status: number, id: string) => {
    const { transport } = scripted([problem(status, { 'x-request-id': id })], { retry: { retries: 0 } });
    return expect(transport.json('search', SEARCH)).rejects;
  };
  await (await fail(404, 'abc-1')).toMatchObject({
    requestId: 'abc-1',
    message: 'search returned 404: because',
  });
  await (await fail(500, 'abc-2')).toMatchObject({ message: 'search returned 500: because (request abc-2)' });
  await (await fail(500, 'x'.repeat(200))).toMatchObject({ requestId: null });
});

describe('a request', () => {
  it('carries the token where it is needed, and errors never contain it', async () => {
    const { transport, requests } = scripted([problem(500)], { retry: { retries: 0 } });
    const failure = await transport.json('search', SEARCH).catch((error: Error) => error);
    expect(requests[0]!.headers.get('authorization')).toBe('Bearer secret');
    expect(`${(failure as Error).message} ${(failure as Error).stack}`).not.toContain('secret');
    await transport.json('accessToken', { form: { email: 'a@b', password: 'p' } }).catch(() => {});
    expect(requests[1]!.headers.has('authorization')).toBe(false);
    expect(await requests[1]!.text()).toBe('email=a%40b&password=p');
  });

  it('waits for its turn: the concurrency is never exceeded', async () => {
    let now = 0;
    let max = 0;
    const slow = async (): Promise<Response> => {
      max = Math.max(max, ++now);
      await new Promise((resolve) => setTimeout(resolve, 1));
      now--;
      return json(HITS);
    };
    const { transport } = scripted([slow], { concurrency: 3 });
    await Promise.all(Array.from({ length: 12 }, () => transport.json('search', SEARCH)));
    expect(max).toBe(3);
  });
});

describe('an answer', () => {
  it('to another request is requested again', async () => {
    const other = json([{ id: 8 }], { headers: { 'x-answer-of': '00000000' } });
    const { transport, requests } = scripted([other, json(HITS)]);
    expect(await transport.json('search', SEARCH)).toEqual(HITS);
    expect(requests).toHaveLength(2);
    const mixed = scripted([other], { retry: { retries: 0 } });
    await expect(mixed.transport.json('search', SEARCH)).rejects.toThrow(
      'search: the response belongs to a different',
    );
  });

  it('has no time limit while something arrives', async () => {
    vi.useFakeTimers();
    try {
      const encoder = new TextEncoder();
      const dripping = () => {
        const pieces = [...JSON.stringify(HITS)];
        const body = new ReadableStream<Uint8Array>({
          async pull(controller) {
            await new Promise((resolve) => setTimeout(resolve, 900));
            const piece = pieces.shift();
            if (piece === undefined) controller.close();
            else controller.enqueue(encoder.encode(piece));
          },
        });
        return new Response(body, { headers: { 'content-type': 'application/json' } });
      };
      const { transport, requests } = scripted([dripping], { timeout_ms: 1000 });
      const asked = transport.json('search', SEARCH);
      await vi.advanceTimersByTimeAsync(60_000);
      expect(await asked).toEqual(HITS);
      expect(requests).toHaveLength(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is a TimeoutError when nothing arrives, before the first byte or after it', async () => {
    const never = () => new Promise<Response>(() => {});
    const stuck = () =>
      new Response(new ReadableStream({}), { headers: { 'content-type': 'application/json' } });
    for (const silence of [never, stuck]) {
      const { transport, requests } = scripted([silence, json(HITS)], { timeout_ms: 200 });
      expect(await transport.json('search', SEARCH)).toEqual(HITS);
      expect(requests).toHaveLength(2);
      const giveUp = scripted([silence], { timeout_ms: 20, retry: { retries: 0 } });
      await expect(giveUp.transport.json('search', SEARCH)).rejects.toBeInstanceOf(TimeoutError);
    }
  });

  it('is a ContractError that names the field when it does not conform to the contract', async () => {
    const { transport } = scripted([json([{ id: 'seven' }])], { retry: { retries: 0 } });
    const asked = transport.json('search', SEARCH);
    await expect(asked).rejects.toBeInstanceOf(ContractError);
    await expect(asked).rejects.toThrow(/\[0\]\.id/);
    const whole = scripted([json('none')], { retry: { retries: 0 } }).transport.json('search', SEARCH);
    await expect(whole).rejects.toThrow(
      /^search: the response does not conform to the API contract: .* is not a list/,
    );
  });
});

describe('compressed answers', () => {
  it.each([
    ['http://127.0.0.1:8470', 'identity'],
    ['http://localhost:8470', 'identity'],
    ['https://127.0.0.1.example.org', null],
    ['http://service.invalid', null],
  ])('from %s: accept-encoding %s', async (host, accepted) => {
    const { transport, requests } = scripted([json(HITS)], { host });
    await transport.json('search', SEARCH);
    expect(requests[0]!.headers.get('accept-encoding')).toBe(accepted);
  });
});
