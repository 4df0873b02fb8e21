import { openPointAnswer } from '../../src/client/points/point-answer.js';
import { RUNS } from '../../src/contract/wire-names.js';
import { type Client, createClient } from '../../src/create-client.js';
import { allowAnyone } from '../../src/service/access/auth.js';
import { type Serving, serve } from '../../src/service/http/serve.js';
import { createService } from '../../src/service/service.js';
import { openStore } from '../../src/store/open.js';
import type { Store } from '../../src/store/store.js';
import type { Wanted } from '../stores/engine.js';
import { keyOf } from '../stores/synthetic-weather.js';
import { serveTasks } from './tasks.js';

export interface PartsTask {
  readonly file: string;
  readonly wanted: Wanted;
  readonly compress_format: boolean;
}

/** Milliseconds of `getDf` and of its parts, each run by itself in one process. */
export interface Parts {
  readonly whole: number;
  readonly store: number;
  readonly encode: number;
  readonly transfer: number;
  readonly decode: number;
  readonly frame: number;
}

type Service = (request: Request) => Promise<Response>;
type Plan = Parameters<Store['points']>[0];

/** An exchange that a client had: what it sent, and what came back. */
interface Exchanged {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: ArrayBuffer | null;
  readonly answer: { readonly status: number; readonly headers: Headers; readonly bytes: ArrayBuffer };
}

/** A service in this process, with what its client asked and what the store was asked for that. */
interface Observed {
  readonly store: Store;
  readonly service: Service;
  readonly serving: Serving;
  readonly exchanges: readonly Exchanged[];
  readonly plans: readonly Plan[];
}

let observed: Observed | null = null;

serveTasks(measureParts, (parts) => parts);

async function measureParts(task: PartsTask): Promise<Parts> {
  observed ??= await observe(task);
  const { store, service, serving, exchanges, plans } = observed;
  const overSocket = clientOf(task, (request) => fetch(request), serving.url);
  const fromMemory = clientOf(task, answering(exchanges));
  const getDf = (client: Client) => client.getDf({ compress_format: task.compress_format });
  const reading = await timed(async () => {
    for (const plan of plans) for await (const _ of store.points(plan));
  });
  const serviced = await timed(() => askAll(exchanges, service));
  const sent = await timed(() => askAll(exchanges, (request) => fetch(request), serving.url));
  const decoding = await timed(() => decodeAll(exchanges));
  const client = await timed(() => getDf(fromMemory));
  const whole = await timed(() => getDf(overSocket));
  return {
    whole,
    store: reading,
    encode: Math.max(0, serviced - reading),
    transfer: Math.max(0, sent - serviced),
    decode: decoding,
    frame: Math.max(0, client - decoding),
  };
}

/** Gets a frame once, and keeps what passed between the client, the service and the store. */
async function observe(task: PartsTask): Promise<Observed> {
  const store = await openStore(task.file, { readOnly: true });
  const plans: Plan[] = [];
  const points: Store['points'] = (plan, options) => {
    plans.push(plan);
    return store.points(plan, options);
  };
  const watched = new Proxy(store, { get: (of, name) => (name === 'points' ? points : bound(of, name)) });
  const exchanges: Exchanged[] = [];
  const asked = createService(watched, { authorize: allowAnyone });
  const client = clientOf(task, async (request) => {
    const { url, method, headers } = request;
    const body = method === 'GET' ? null : await request.clone().arrayBuffer();
    const response = await asked(request);
    const bytes = await response.arrayBuffer();
    const answer = { status: response.status, headers: response.headers, bytes };
    exchanges.push({ url, method, headers, body, answer });
    return responseOf(answer);
  });
  await client.getDf({ compress_format: task.compress_format });
  const service = createService(store, { authorize: allowAnyone });
  return { store, service, serving: await serve(service, { port: 0 }), exchanges, plans };
}

/** A property of an object, with methods that keep it as their `this`. */
function bound(of: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(of, name);
  return typeof value === 'function' ? value.bind(of) : value;
}

function clientOf({ wanted }: PartsTask, fetch: Service, api_host = 'http://embedded'): Client {
  const client = createClient({ api_host, access_token: 'none', fetch });
  for (const i of wanted) client.addSingleDataSeries(keyOf(i));
  return client;
}

function responseOf({ status, headers, bytes }: Exchanged['answer']): Response {
  return new Response(status === 204 ? null : bytes, { status, headers });
}

/** Answers requests with what came back for the same one before. */
function answering(exchanges: readonly Exchanged[]): Service {
  return async (request) => {
    const text = request.method === 'GET' ? '' : await request.text();
    const known = exchanges.find(({ url, body }) => url === request.url && textOf(body) === text);
    if (known === undefined) throw new Error(`the benchmark knows no answer to ${request.url}`);
    return responseOf(known.answer);
  };
}

const textOf = (body: ArrayBuffer | null): string => (body === null ? '' : new TextDecoder().decode(body));

async function askAll(exchanges: readonly Exchanged[], send: Service, origin?: string): Promise<void> {
  for (const { url, method, headers, body } of exchanges) {
    const address = origin === undefined ? url : url.replace('http://embedded', origin);
    const response = await send(new Request(address, { method, headers, body }));
    for await (const _ of response.body ?? []);
  }
}

async function decodeAll(exchanges: readonly Exchanged[]): Promise<void> {
  for (const { answer } of exchanges) {
    if (!answer.headers.get('content-type')?.startsWith(RUNS)) continue;
    const { batches } = await openPointAnswer('points', responseOf(answer));
    for await (const _ of batches);
  }
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  globalThis.gc?.();
  const began = performance.now();
  await run();
  return performance.now() - began;
}
