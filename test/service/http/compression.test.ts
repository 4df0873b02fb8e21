import { Readable } from 'node:stream';
import type { ReadableStream as WebReadableStream } from 'node:stream/web';
import { createGunzip, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { chooseEncoding, compressAnswers } from '../../../src/service/http/answers.js';

const LONG = JSON.stringify(Array.from({ length: 500 }, (_, i) => i));
const HEADERS = { 'content-type': 'application/json', etag: '"tag"' };

const ask = async (accepted: string | null, answer: () => Response): Promise<Response> => {
  const headers: Record<string, string> = accepted === null ? {} : { 'accept-encoding': accepted };
  return compressAnswers(async () => answer())(new Request('http://local/', { headers }));
};

describe('the chosen encoding', () => {
  it.each([
    ['gzip', 'gzip'],
    ['GZIP;q=0.5, identity', 'gzip'],
    ['*', 'gzip'],
    ['br', null],
    ['', null],
    ['gzip;q=0', null],
    ['identity', null],
  ])('for "%s" is %s', (accepted, expected) => {
    const chosen = chooseEncoding(accepted);
    expect(chosen === 'zstd' ? 'gzip' : chosen).toBe(expected);
  });
});

describe('an answer', () => {
  it('is compressed, with its own tag', async () => {
    const response = await ask('gzip', () => new Response(LONG, { headers: HEADERS }));
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(response.headers.get('etag')).toBe('W/"tag"');
    expect(gunzipSync(Buffer.from(await response.arrayBuffer())).toString()).toBe(LONG);
  });

  it.each([
    ['is requested without compression', null, () => new Response(LONG, { headers: HEADERS })],
    ['is compressed already', 'gzip', () => new Response(LONG, { headers: { 'content-encoding': 'br' } })],
    ['is short', 'gzip', () => new Response('[]', { headers: { 'content-length': '2' } })],
    ['is empty', 'gzip', () => new Response(null, { status: 204 })],
  ])('is unchanged when it %s', async (_, accepted, answer) => {
    const response = await ask(accepted, answer);
    expect(response.headers.get('content-encoding')).not.toBe('gzip');
    expect(response.headers.get('etag')).toBe(answer().headers.get('etag'));
  });
});

/** A body whose next chunk exists only when the one before has arrived. */
function oneAfterAnother(chunks: readonly string[]) {
  let sent = 0;
  const arrivals: (() => void)[] = [];
  const arrival = chunks.map(() => new Promise<void>((resolve) => arrivals.push(resolve)));
  const body = new ReadableStream({
    async pull(controller) {
      if (sent > 0) await arrival[sent - 1];
      if (sent === chunks.length) controller.close();
      else controller.enqueue(Buffer.from(chunks[sent++]!));
    },
  });
  return {
    body,
    arrived: (count: number) => {
      for (const resolve of arrivals.slice(0, count)) resolve();
    },
  };
}

it('sends each line of a long answer through compression before the next one exists', {
  timeout: 30_000,
}, async () => {
  const lines = ['{"progress":1}\n', '{}\n', '{"report":2}\n'];
  const { body, arrived } = oneAfterAnother(lines);
  const response = await ask('gzip, br', () => new Response(body));
  expect(response.headers.get('content-encoding')).toBe('gzip');
  let text = '';
  for await (const piece of Readable.fromWeb(response.body as WebReadableStream).pipe(createGunzip())) {
    text += piece;
    arrived(text.split('\n').length - 1);
  }
  expect(text).toBe(lines.join(''));
});
