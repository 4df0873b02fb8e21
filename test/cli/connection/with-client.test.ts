import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allowAnyone, hashToken, newToken } from '../../../src/service/access/auth.js';
import { type Serving, serve } from '../../../src/service/http/serve.js';
import { createService } from '../../../src/service/service.js';
import { openStore } from '../../../src/store/open.js';
import type { Store } from '../../../src/store/store.js';
import { runCommand } from '../capture.js';
import { quickStatsStore } from '../stores.js';

const { store } = quickStatsStore();
const token = newToken();
let opened: Store;
let closed: Serving;
let open: Serving;
beforeAll(async () => {
  opened = await openStore(store);
  const times = { createdMs: Date.now(), expiresMs: null, revokedMs: null };
  await opened.access.putToken({ hash: hashToken(token), name: 'test', email: null, ...times });
  closed = await serve(createService(opened), { port: 0 });
  open = await serve(createService(opened, { authorize: allowAnyone }), { port: 0 });
});
afterAll(async () => {
  await Promise.all([closed.close(), open.close()]);
  await opened.close();
});

const SEARCH = ['search', 'items', 'corn', '--json'];

describe('a service', () => {
  it('is named by options, or by the environment', async () => {
    const expected = await runCommand([...SEARCH, '--host', closed.url, '--token', token]);
    expect(expected).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(expected.stdout)[0].name).toBe('Corn');
    const env = { CROPFRAME_HOST: closed.url, CROPFRAME_TOKEN: token, API_TOKEN: 'of another program' };
    expect(await runCommand(SEARCH, { env })).toEqual(expected);
  });

  it('on this machine without authentication needs no token; any other does', async () => {
    expect(await runCommand([...SEARCH, '--host', open.url])).toMatchObject({ code: 0 });
    const refused = await runCommand([...SEARCH, '--host', closed.url]);
    expect(refused).toMatchObject({ code: 4, stdout: '' });
    expect(refused.stderr).toBe(
      'error: no access token: pass --token, set API_TOKEN, or read a store with --store FILE\n',
    );
    expect(await runCommand([...SEARCH, '--host', 'data.invalid'])).toEqual(refused);
  });

  it('refuses a wrong token with a remedy that does not repeat the token', async () => {
    const { code, stderr } = await runCommand([...SEARCH, '--host', closed.url, '--token', 'cf_secret']);
    expect(code).toBe(4);
    expect(stderr).toContain('pass a valid --token, or set API_TOKEN');
    expect(stderr).not.toContain('cf_secret');
  });
});
