import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Refusal, Service } from '../../../src/service/handler.js';
import { type Serving, serve } from '../../../src/service/http/serve.js';

/** 64 KiB each: more than sockets take for a client that reads nothing. */
const MANY_PULLS = 1_000;

let serving: Serving;
afterEach(() => serving.close());

/** Sends bytes, and returns what comes back until the connection is closed. */
async function exchange(text: string): Promise<string> {
  const socket = connect(Number(new URL(serving.url).port), '127.0.0.1');
  socket.write(text);
  let received = '';
  socket.on('data', (piece) => {
    received += piece.toString();
  });
  await once(socket, 'close');
  return received;
}

describe('what cannot be read is refused with a reason', () => {
  const get = (header: string) => `GET / HTTP/1.1\r\n${header}connection: close\r\n\r\n`;
  it.each([
    ['a Host that is no host', get('host: a b\r\n'), 400, 'Host header'],
    ['a Host with a path', get('host: a/b\r\n'), 400, 'Host header'],
    ['a Host with a user', get('host: a@b\r\n'), 400, 'Host header'],
    ['no Host', get(''), 400, 'Host header'],
    ['no HTTP', 'hello\r\n\r\n', 400, 'not valid HTTP'],
    ['endless headers', get(`host: x\r\na: ${'b'.repeat(600_000)}\r\n`), 431, 'too long'],
  ])('%s', async (_what, text, status, reason) => {
    const refusals: Refusal[] = [];
    const refused = (refusal: Refusal) => void refusals.push(refusal);
    const service = Object.assign(async () => new Response('never'), { refused });
    serving = await serve(service, { port: 0 });
    const received = await exchange(text);
    expect(received).toContain(`HTTP/1.1 ${status} `);
    expect(received).toMatch(/x-request-id: [\w-]{36}\r\n/);
    const body = JSON.parse(received.slice(received.indexOf('\r\n\r\n') + 4));
    expect(body).toMatchObject({ error: expect.any(String), message: expect.stringContaining(reason) });
    const [, requestId] = /x-request-id: ([\w-]{36})/.exec(received)!;
    await expect.poll(() => refusals).toHaveLength(1);
    expect(refusals).toMatchObject([{ requestId, status, address: '127.0.0.1' }]);
    expect(refusals[0]!.reason).not.toBe('');
  });
});

it('listens on an IPv6 address in brackets, as URLs write it', async () => {
  serving = await serve(async () => new Response('six'), { port: 0, hostname: '[::1]' });
  expect(serving.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
  expect(await (await fetch(serving.url)).text()).toBe('six');
});

it('cancels the body when the client disconnects', async () => {
  let ended: () => void = () => undefined;
  const isEnded = new Promise<void>((resolve) => {
    ended = resolve;
  });
  let pulls = 0;
  const endless: Service = async () =>
    new Response(
      new ReadableStream({
        pull(controller) {
          pulls++;
          controller.enqueue(new Uint8Array(65_536));
        },
        cancel: () => ended(),
      }),
    );
  serving = await serve(endless, { port: 0 });
  const socket = connect(Number(new URL(serving.url).port), '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  await new Promise((resolve) => socket.once('readable', resolve));
  let before: number;
  do {
    before = pulls;
    await new Promise((resolve) => setTimeout(resolve, 300));
  } while (pulls > before && pulls < MANY_PULLS);
  expect(pulls).toBeLessThan(MANY_PULLS);
  socket.destroy();
  await isEnded;
});

it('keeps idle connections for longer than proxies do', async () => {
  serving = await serve(async () => new Response('whole'), { port: 0 });
  const { headers } = await fetch(serving.url);
  expect(headers.get('keep-alive')).toBe('timeout=65');
});
