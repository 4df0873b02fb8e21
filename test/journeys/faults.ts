import type { Fetch } from '../../src/client/http/request.js';
import { ContractError, HttpError, NetworkError, TimeoutError } from '../../src/model/errors.js';
import { pick, seededRandom } from './seeded-random.js';

/** What can go wrong between a client and a service. */
export const FAULTS = [
  'delay',
  'refuse',
  'cut',
  'truncate',
  '429',
  '500',
  '503',
  '301',
  'another content type',
  'empty answer',
] as const;
export type Fault = (typeof FAULTS)[number];

/** A fetch that injects faults into a share of its answers, decided by the seed and the number of the request. */
export function faultyFetch(
  service: Fetch,
  { seed, share }: { seed: number; share: number },
): { fetch: Fetch; injected: Fault[] } {
  const random = seededRandom(seed);
  const injected: Fault[] = [];
  return {
    injected,
    async fetch(request) {
      if (random() >= share) return service(request);
      const fault = pick(random, FAULTS);
      injected.push(fault);
      return withFault(fault, () => service(request), random);
    },
  };
}

async function withFault(
  fault: Fault,
  ask: () => Promise<Response>,
  random: () => number,
): Promise<Response> {
  switch (fault) {
    case 'refuse':
      throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
    case '429':
      return problem(429, { 'retry-after': pick(random, ['0', '0.001']) });
    case '500':
    case '503':
      return problem(Number(fault), {});
    case '301':
      return new Response('<h1>Moved</h1>', { status: 301, headers: { 'content-type': 'text/html' } });
    case 'delay':
      await new Promise((resolve) => setTimeout(resolve, random() * 2));
      return ask();
    default:
      return withDamage(fault, await ask(), random);
  }
}

async function withDamage(fault: Fault, response: Response, random: () => number): Promise<Response> {
  const { status, headers } = response;
  const body = new Uint8Array(await response.arrayBuffer());
  if (body.length === 0) return new Response(null, { status, headers });
  const at = Math.floor(random() * body.length);
  switch (fault) {
    case 'another content type':
      return new Response('<h1>Please log in</h1>', { status, headers: { 'content-type': 'text/html' } });
    case 'empty answer':
      return new Response('', { status, headers });
    case 'truncate':
      return new Response(body.slice(0, at), { status, headers });
    case 'cut':
      return new Response(brokenAfter(body.slice(0, at)), { status, headers });
    default:
      throw new Error(`there is no fault "${fault}"`);
  }
}

function brokenAfter(arrived: Uint8Array): ReadableStream<Uint8Array> {
  let sent = false;
  return new ReadableStream({
    pull(controller) {
      if (sent) controller.error(new TypeError('terminated', { cause: new Error('other side closed') }));
      else if (arrived.length > 0) controller.enqueue(arrived);
      else controller.error(new TypeError('terminated'));
      sent = true;
    },
  });
}

function problem(status: number, headers: Record<string, string>): Response {
  const body = JSON.stringify({ error: 'fault', message: 'injected' });
  return new Response(body, { status, headers: { 'content-type': 'application/json', ...headers } });
}

/** Caches whole answers, so that thousands of runs send each request to the service once. */
export function remembering(service: Fetch): Fetch {
  const known = new Map<string, Promise<{ status: number; headers: Headers; body: ArrayBuffer }>>();
  return async (request) => {
    const { method, url, headers: asked } = request;
    const text = request.body === null ? null : await request.text();
    const key = JSON.stringify([method, url, asked.get('accept'), text]);
    const answer =
      known.get(key) ??
      service(new Request(url, { method, headers: asked, body: text })).then(async (response) => ({
        status: response.status,
        headers: response.headers,
        body: await response.arrayBuffer(),
      }));
    known.set(key, answer);
    const { status, headers, body } = await answer;
    return new Response(body.byteLength === 0 ? null : body, { status, headers });
  };
}

/** What a bad connection causes: thrown itself when it is the one cause that failed every series. */
export function isConnectionFailure(error: unknown): boolean {
  return [NetworkError, TimeoutError, HttpError, ContractError].some((kind) => error instanceof kind);
}
