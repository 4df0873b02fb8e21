import { type Client, createClient } from '../../src/create-client.js';
import { singleTokenAuthorizer } from '../../src/service/auth.js';
import { createService } from '../../src/service/service.js';
import type { Store } from '../../src/store/store.js';

const TOKEN = 'token-of-the-tests';

/** The public client of the whole service over a store. */
export function clientOf(store: Store): Client {
  return createClient({
    api_host: 'http://service.invalid',
    access_token: TOKEN,
    fetch: createService(store, { authorize: singleTokenAuthorizer(TOKEN) }),
  });
}

/** The id of what a name means to the service; a name that it does not know ends the test. */
export async function idOf(
  client: Client,
  type: 'metrics' | 'items' | 'regions' | 'sources',
  name: string,
): Promise<number> {
  const id = await client.searchForEntity(type, name);
  if (id === undefined) throw new Error(`nothing among ${type} is called ${name}`);
  return id;
}
