import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { sendFromNode } from '../../../src/client/sending/node-send.js';
import { type Outgoing, sendBy, wholeBody } from '../../../src/client/sending/send.js';
import { createClient } from '../../../src/create-client.js';

describe('requests to a service on the same machine', () => {
  let server: Server | undefined;
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  const listen = async (listener: RequestListener): Promise<string> => {
    server = createServer(listener);
    await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const outgoing = (url: string, more: Partial<Outgoing> = {}): Outgoing => ({
    method: 'GET',
    url,
    headers: new Headers({ accept: 'text/plain', authorization: 'Bearer abc' }),
    body: null,
    signal: new AbortController().signal,
    ...more,
  });
  const ignore = () => {};

  it('carry method, headers and body, and reuse their connection', async () => {
    const seen: [IncomingMessage, string][] = [];
    const url = await listen((incoming, answer) => {
      let body = '';
      incoming.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      incoming.on('end', () => {
        seen.push([incoming, body]);
        answer.setHeader('content-length', 6).setHeader('x-twice', ['a', 'b']).end('größe'.slice(0, 4));
      });
    });
    const pieces: number[] = [];
    for (const method of ['GET', 'POST'] as const) {
      const body = method === 'POST' ? '{"ä":1}' : null;
      const response = await sendFromNode(outgoing(`${url}/p?q=1`, { method, body }), () => pieces.push(1));
      expect(response.status).toBe(200);
      expect(response.headers.get('x-twice')).toBe('a, b');
      expect(wholeBody(response)?.byteLength).toBe(6);
      expect(await response.text()).toBe('größ');
    }
    expect(seen.map(([{ method, url: path }, body]) => [method, path, body])).toEqual([
      ['GET', '/p?q=1', ''],
      ['POST', '/p?q=1', '{"ä":1}'],
    ]);
    expect(seen[0]![0].headers).toMatchObject({ accept: 'text/plain', authorization: 'Bearer abc' });
    expect(seen[1]![0].socket.remotePort).toBe(seen[0]![0].socket.remotePort);
    expect(pieces.length).toBeGreaterThan(1);
  });

  it('read long answers as a stream, compressed ones, and answers without a body', async () => {
    const long = 'x'.repeat(200_000);
    const url = await listen(({ url: path }, answer) => {
      if (path === '/long') answer.end(long);
      else if (path === '/zipped') answer.setHeader('content-encoding', 'gzip').end(gzipSync(long));
      else answer.writeHead(path === '/none' ? 204 : 301, { location: '/elsewhere' }).end();
    });
    for (const path of ['/long', '/zipped']) {
      const response = await sendFromNode(outgoing(url + path), ignore);
      expect(wholeBody(response)).toBeUndefined();
      expect(await response.text()).toBe(long);
    }
    expect((await sendFromNode(outgoing(`${url}/none`), ignore)).body).toBeNull();
    expect((await sendFromNode(outgoing(`${url}/moved`), ignore)).status).toBe(301);
  });

  it.each([20, 200_000])('fail while the body is read where an answer of %i bytes is cut', async (length) => {
    const url = await listen((_, answer) => {
      answer.writeHead(200, { 'content-length': length });
      answer.write('0123456789', () => answer.destroy());
    });
    const response = await sendFromNode(outgoing(url), ignore);
    expect(response.status).toBe(200);
    expect(wholeBody(response)).toBeUndefined();
    await expect(response.text()).rejects.toThrow();
  });

  it('are closed when the reader gives up while it waits for more', { timeout: 5_000 }, async () => {
    let closed = () => {};
    const closing = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const url = await listen((_, answer) => {
      answer.on('close', closed).writeHead(200).write('begun');
    });
    const { body } = await sendFromNode(outgoing(url), ignore);
    const reader = body!.getReader();
    await reader.read();
    const waiting = reader.read();
    await reader.cancel();
    await Promise.all([waiting, closing]);
  });

  it('end when they are aborted, before an answer and within one', async () => {
    const url = await listen(({ url: path }, answer) => {
      if (path === '/begun') answer.writeHead(200).write('begun');
      if (path === '/short') answer.writeHead(200, { 'content-length': 20 }).write('begun');
    });
    const aborting = new AbortController();
    const unanswered = sendFromNode(outgoing(`${url}/never`, { signal: aborting.signal }), ignore);
    const begun = await sendFromNode(outgoing(`${url}/begun`, { signal: aborting.signal }), ignore);
    const abortSoon = () => setImmediate(() => aborting.abort());
    const short = sendFromNode(outgoing(`${url}/short`, { signal: aborting.signal }), abortSoon);
    await Promise.all([
      expect(begun.text()).rejects.toThrow(),
      expect(short.then((response) => response.text())).rejects.toThrow(/abort/i),
      expect(unanswered).rejects.toThrow(),
    ]);
  });

  it('fail with the reason of the system where nothing listens', async () => {
    const url = await listen(ignore);
    await new Promise((resolve) => server!.close(resolve));
    await expect(sendFromNode(outgoing(url), ignore)).rejects.toThrow(/ECONNREFUSED/);
  });

  it.each([
    ['text', 'x'.repeat(300_000)],
    ['bytes', new Blob([new Uint8Array(300_000)])],
  ])('reports each piece of a long body of %s as it leaves, and states its length', async (_, body) => {
    let received = 0;
    const url = await listen((request, response) => {
      request.on('data', (piece: Buffer) => {
        received += piece.length;
      });
      request.on('end', () => response.end(request.headers['content-length']));
    });
    let pieces = 0;
    const sendByFetch = sendBy((request) => fetch(request));
    const response = await sendByFetch(outgoing(url, { method: 'POST', body }), () => pieces++);
    expect(await response.text()).toBe('300000');
    expect(received).toBe(300_000);
    expect(pieces).toBeGreaterThan(4);
  });
});

it.each([
  ['http', () => createTlsServer(), 'without an answer; a service with TLS has the address https'],
  ['https', () => createServer(), 'it does not speak TLS; without it, its address is http'],
])('says of a service asked by %s that it has the other scheme', async (scheme, create, message) => {
  const service = create().listen(0, '127.0.0.1');
  await once(service, 'listening');
  const address = `://127.0.0.1:${(service.address() as AddressInfo).port}`;
  try {
    const options = { api_host: scheme + address, access_token: 'abc', retry: { retries: 0 } };
    await expect(createClient(options).search('items', 'corn')).rejects.toThrow(message + address);
  } finally {
    service.close();
  }
});
