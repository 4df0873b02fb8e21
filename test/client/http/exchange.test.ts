import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { createClient } from '../../../src/create-client.js';

const listening = async (server: ReturnType<typeof createServer>): Promise<string> => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

it.each([
  ['http', () => createTlsServer(), 'without responding; if it uses TLS, its address is https'],
  ['https', () => createServer(), 'it does not use TLS, so its address is http'],
])('says of a service asked by %s that it has the other scheme', async (scheme, create, message) => {
  const service = create();
  const address = await listening(service);
  try {
    const options = { api_host: scheme + address, access_token: 'abc', retry: { retries: 0 } };
    await expect(createClient(options).search('items', 'corn')).rejects.toThrow(message + address);
  } finally {
    service.close();
  }
});
