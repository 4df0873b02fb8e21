import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { toRequest } from '../../../src/client/http/request.js';
import { createClient } from '../../../src/create-client.js';

const listening = async (server: ReturnType<typeof createServer>): Promise<string> => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

it.each([
  ['text', 'x'.repeat(300_000)],
  ['bytes', new Blob([new Uint8Array(300_000)])],
])('reports each piece of a long body of %s as it leaves, and states its length', async (_, body) => {
  let received = 0;
  const server = createServer((request, response) => {
    request.on('data', (piece: Buffer) => {
      received += piece.length;
    });
    request.on('end', () => response.end(request.headers['content-length']));
  });
  const url = `http${await listening(server)}`;
  let pieces = 0;
  const planned = { method: 'POST', url, accept: '*/*', contentType: null, body, authorized: true } as const;
  const request = toRequest(
    { ...planned, mark: () => '' },
    { token: null, signal: new AbortController().signal, etag: null, onPiece: () => pieces++ },
  );
  expect(await (await fetch(request)).text()).toBe('300000');
  expect(received).toBe(300_000);
  expect(pieces).toBeGreaterThan(4);
  server.closeAllConnections();
  server.close();
});

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
