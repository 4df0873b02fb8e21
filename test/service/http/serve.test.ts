import { connect } from 'node:net';
import { expect, it } from 'vitest';
import type { Service } from '../../../src/service/handler.js';
import { serve } from '../../../src/service/http/serve.js';

/** 64 KiB each: more than sockets take for a client that reads nothing. */
const MANY_PULLS = 1_000;

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
  const serving = await serve(endless, { port: 0 });
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
  await serving.close();
});

it('keeps idle connections for longer than proxies do', async () => {
  const serving = await serve(async () => new Response('whole'), { port: 0 });
  const { headers } = await fetch(serving.url);
  expect(headers.get('keep-alive')).toBe('timeout=65');
  await serving.close();
});
