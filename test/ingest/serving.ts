import { type Client, createClient } from '../../src/create-client.js';
import { singleTokenAuthorizer } from '../../src/service/access/auth.js';
import { createService } from '../../src/service/service.js';
import type { Store } from '../../src/store/store.js';

const TOKEN = 'token-of-the-tests';

/** A public client of a service over a store. */
export function clientOf(store: Store): Client {
  return createClient({
    api_host: 'http://service.invalid',
    access_token: TOKEN,
    fetch: createService(store, { authorize: singleTokenAuthorizer(TOKEN) }),
  });
}
