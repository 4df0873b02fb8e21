import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Refusal } from '../../../src/service/handler.js';
import { type Serving, serve } from '../../../src/service/http/serve.js';

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
  it.each([
    [
      'a Host that is no host',
      'GET / HTTP/1.1\r\nhost: a b\r\nconnection: close\r\n\r\n',
      400,
      'Host header',
    ],
    ['a Host with a path', 'GET / HTTP/1.1\r\nhost: a/b\r\nconnection: close\r\n\r\n', 400, 'Host header'],
    ['a Host with a user', 'GET / HTTP/1.1\r\nhost: a@b\r\nconnection: close\r\n\r\n', 400, 'Host header'],
    ['no Host', 'GET / HTTP/1.1\r\nconnection: close\r\n\r\n', 400, 'Host header'],
    ['no HTTP', 'hello\r\n\r\n', 400, 'not valid HTTP'],
    ['endless headers', `GET / HTTP/1.1\r\nhost: x\r\na: ${'b'.repeat(600_000)}\r\n\r\n`, 431, 'too long'],
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
