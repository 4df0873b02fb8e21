import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import type { Service } from '../../../src/service/handler.js';
import { type Serving, serve } from '../../../src/service/http/serve.js';

let release: (() => void) | undefined;
let started: () => void;
let serving: Serving;
let requests = 0;
const sockets: Socket[] = [];
const agent = new Agent({ keepAlive: true });
afterEach(async () => {
  release?.();
  for (const socket of sockets.splice(0)) socket.destroy();
  agent.destroy();
  await serving.close().catch(() => {});
});

/** A service whose answers to /slow wait for `release`; `/stream` has sent its head by then. */
async function startSlow(): Promise<{ isStarted: Promise<void> }> {
  requests = 0;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const isStarted = new Promise<void>((resolve) => {
    started = resolve;
  });
  const slow: Service = async ({ url }) => {
    requests++;
    const { pathname } = new URL(url);
    if (pathname === '/fast') return new Response('fast');
    started();
    if (pathname === '/slow') {
      await released;
      return new Response('whole');
    }
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(new Uint8Array(10));
        await released;
        controller.enqueue(new Uint8Array(90));
        controller.close();
      },
    });
    return new Response(body);
  };
  serving = await serve(slow, { port: 0 });
  return { isStarted };
}

function ask(path: string): Promise<{ message: IncomingMessage; text: Promise<string> }> {
  return new Promise((resolve, reject) => {
    request(`${serving.url}${path}`, { agent }, (message) => {
      const text = message.toArray().then((pieces) => Buffer.concat(pieces).toString());
      resolve({ message, text });
    })
      .on('error', reject)
      .end();
  });
}

async function open(text: string): Promise<Socket> {
  const socket = connect(Number(new URL(serving.url).port), '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

/** Resolves when a socket is closed, also by a reset. */
function closed(socket: Socket): Promise<unknown> {
  return new Promise((resolve) => {
    socket.once('close', resolve).resume();
  });
}

it('finishes the request under way, and then closes silent and half-sent connections', async () => {
  const { isStarted } = await startSlow();
  await (await ask('/fast')).text;
  const waiting = [await open(''), await open('GET /fast HTTP/1.1\r\nhost: x')];
  const answer = ask('/slow');
  await isStarted;
  const stopped = serving.close();
  release?.();
  const { message, text } = await answer;
  expect(message.headers.connection).toBe('close');
  expect(await text).toBe('whole');
  await Promise.all([stopped, ...waiting.map(closed)]);
});

it('finishes an answer whose head is sent, and takes no new request on its connection', async () => {
  const { isStarted } = await startSlow();
  const socket = await open('GET /stream HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await isStarted;
  let received = '';
  socket.on('data', (piece) => {
    received += piece.toString('latin1');
  });
  await once(socket, 'data');
  const stopped = serving.close();
  socket.write('GET /fast HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await new Promise((resolve) => setTimeout(resolve, 50));
  release?.();
  await Promise.all([stopped, closed(socket)]);
  expect(received).toContain('keep-alive');
  expect(received).toContain('\r\n5a\r\n');
  expect(received).not.toContain('fast');
  expect(requests).toBe(1);
});

it('cuts what is never sent whole, and what is never answered', async () => {
  const endless: Service = async (request) => {
    requests++;
    if (request.method === 'POST') await request.text();
    return new Promise(() => {});
  };
  requests = 0;
  serving = await serve(endless, { port: 0, stopWithinMs: 50 });
  const half = await open('POST /slow HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\nhalf');
  const never = await open('GET /never HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await expect.poll(() => requests).toBe(2);
  await Promise.all([serving.close(), closed(half), closed(never)]);
});
