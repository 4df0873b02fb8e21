import type { Client } from '../src/create-client.js';

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
