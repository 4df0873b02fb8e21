import { hashToken } from '../../src/service/access/auth.js';
import type { Service } from '../../src/service/handler.js';
import { openStore } from '../../src/store/open.js';
import type { Store, StoredToken } from '../../src/store/store.js';

/** A store in memory with some access tokens. */
export async function openTokenStore(...tokens: Partial<StoredToken & { token: string }>[]): Promise<Store> {
  const store = await openStore(':memory:');
  for (const { token = '', ...rest } of tokens) {
    const standard = { name: 'test', email: null, createdMs: 0, expiresMs: null, revokedMs: null };
    await store.access.putToken({ ...standard, hash: hashToken(token), ...rest });
  }
  return store;
}

/** Sends a GET request to a service, with a token or without. */
export function get(service: Service, path: string, token?: string): Promise<Response> {
  const headers: HeadersInit = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return service(new Request(`http://local${path}`, { headers }));
}

/** Sends a login to a service. */
export function logIn(service: Service, password: string): Promise<Response> {
  const body = new URLSearchParams({ email: 'a@b.c', password });
  return service(new Request('http://local/api-token', { method: 'POST', body }));
}
