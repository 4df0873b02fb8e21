import { afterEach, describe, expect, it, vi } from 'vitest';
import { getAccessToken } from '../../src/client/access-token.js';
import { readHost } from '../../src/client/http/host.js';
import { createClient } from '../../src/create-client.js';
import { ArgumentError, AuthenticationError, RuntimeError } from '../../src/model/errors.js';
import { json } from './answering.js';

afterEach(() => vi.unstubAllEnvs());

describe('a client', () => {
  it('throws the error of the specification without a token', () => {
    vi.stubEnv('API_TOKEN', undefined);
    expect(() => createClient()).toThrow(RuntimeError);
    vi.stubEnv('API_TOKEN', '');
    expect(() => createClient()).toThrow(/API_TOKEN/);
    vi.stubEnv('API_TOKEN', 'from the environment');
    expect(createClient().api_host).toBe('http://127.0.0.1:8470');
  });

  it('sends the token of the parameter before that of the environment', async () => {
    vi.stubEnv('API_TOKEN', 'from the environment');
    const tokens: (string | null)[] = [];
    const fetch = async ({ headers }: Request) => {
      tokens.push(headers.get('authorization'));
      return json([]);
    };
    await createClient({ fetch }).search('items', 'corn');
    await createClient({ fetch, access_token: 'given' }).search('items', 'corn');
    expect(tokens).toEqual(['Bearer from the environment', 'Bearer given']);
  });

  it.each([{ concurrency: 0 }, { timeout_ms: 1.5 }, { api_host: 'not a host' }])('refuses %o', (options) => {
    expect(() => createClient({ access_token: 't', ...options })).toThrow(ArgumentError);
  });
});

describe('the host', () => {
  it.each([
    ['data.example.org', 'https://data.example.org'],
    ['data.example.org:8470', 'https://data.example.org:8470'],
    ['localhost:8470', 'http://localhost:8470'],
    ['127.0.0.1', 'http://127.0.0.1'],
    ['[::1]:80', 'http://[::1]'],
    ['data.example.org:80', 'https://data.example.org:80'],
    ['http://data.example.org/base/', 'http://data.example.org/base'],
  ])('%s is %s', (given, origin) => {
    expect(readHost(given)).toBe(origin);
  });

  it('has no other scheme', () => {
    expect(() => readHost('ftp://data.example.org')).toThrow(/^api_host: "ftp:.*" is not a host; /);
  });

  it('is that of the environment when none is given', () => {
    vi.stubEnv('CROPFRAME_HOST', 'data.example.org');
    expect(readHost(undefined)).toBe('https://data.example.org');
  });
});

describe('getAccessToken', () => {
  it('sends the form fields of the wire, and throws AuthenticationError for a wrong password', async () => {
    const right = async (request: Request) => {
      const form = new URLSearchParams(await request.text());
      if (form.get('password') !== 'right') return json({ error: 'x', message: 'wrong' }, { status: 401 });
      expect([request.method, new URL(request.url).pathname, form.get('email')]).toEqual([
        'POST',
        '/api-token',
        'a@b.c',
      ]);
      return json({ data: { accessToken: 'cf_1' } });
    };
    const options = { api_host: 'service.invalid', email: 'a@b.c', fetch: right };
    expect(await getAccessToken({ ...options, password: 'right' })).toBe('cf_1');
    const refused = getAccessToken({ ...options, password: 'hunter2' });
    await expect(refused).rejects.toBeInstanceOf(AuthenticationError);
    await expect(refused).rejects.not.toThrow(/hunter2/);
  });
});
