import { addresses } from '../contract/addresses.js';
import { ARROW_STREAM_BY_SERIES, QUERY_KEYS } from '../contract/wire-names.js';
import { SERIES_KEY_FIELDS, SERIES_KEY_TYPES, type SeriesKey } from '../model/series.js';
import type { StoredSeries } from '../store/plan.js';
import type { Store } from '../store/store.js';
import { turns } from '../store/turns.js';
import { newToken, singleTokenAuthorizer } from './access/auth.js';
import type { Service } from './handler.js';
import { createService } from './service.js';

/** How often which number of series is asked for. Further requests made the first answer to a client no faster. */
const REQUESTS = [
  { series: 1, times: 20 },
  { series: 10, times: 10 },
  { series: 100, times: 4 },
] as const;

/** How often the entities of how many series are asked for. */
const LOOKUPS = 5;
const MAX_ENTITIES = 10;

/** Points of one request at most. */
const MAX_POINTS = 200_000;

/** As of a client at a socket: one in the same process gets its points without their being encoded. */
const CONNECTION = { address: '127.0.0.1', localPort: 0 };

/**
 * Asks a service of its own for points of the store, so that what answers them is compiled before a client asks: the first answer
 * would take several times as long as the later ones. Nothing of it is counted or logged. It takes half a second of one core, in
 * turns with other work; what fails here is left for a client's request to tell.
 * @param signal ends it before the next request
 */
export async function warmUp(store: Store, signal: AbortSignal): Promise<void> {
  const token = newToken();
  const service = createService(store, { authorize: singleTokenAuthorizer(token) });
  try {
    const series = await firstSeries(store, signal);
    if (series.length === 0) return;
    const asking = { service, token, signal };
    for (const { series: count, times } of REQUESTS)
      for (let i = 0; i < times; i++) await askPoints(asking, series.slice(0, count));
    for (let i = 0; i < LOOKUPS; i++) await askEntities(asking, series.slice(0, MAX_ENTITIES));
  } catch {}
}

/** Series at the beginning of the store, of no more points together than one request may ask for. */
async function firstSeries(store: Store, signal: AbortSignal): Promise<StoredSeries[]> {
  for await (const batch of store.series({ selection: {}, includeHistorical: true }, { signal })) {
    let points = 0;
    return batch.filter(({ pointCount }) => {
      points += pointCount;
      return points <= MAX_POINTS;
    });
  }
  return [];
}

function selectionOf(series: StoredSeries): object {
  return Object.fromEntries(SERIES_KEY_FIELDS.map((field) => [QUERY_KEYS[field], series[field]]));
}

interface Asking {
  readonly service: Service;
  readonly token: string;
  readonly signal: AbortSignal;
}

function askPoints(asking: Asking, series: readonly StoredSeries[]): Promise<void> {
  const { method, path } = addresses.pointsBatch;
  const headers = { 'content-type': 'application/json', accept: ARROW_STREAM_BY_SERIES };
  return ask(asking, path, { method, headers, body: JSON.stringify(series.map(selectionOf)) });
}

/** Asks for units, and for what series are named by, as a client does for a frame that it has the points of. */
async function askEntities(asking: Asking, series: readonly StoredSeries[]): Promise<void> {
  const { path } = addresses.entities;
  for (const [field, type] of [...Object.entries(SERIES_KEY_TYPES), ['unit_id', 'units']] as const) {
    const ids = new Set(series.map((one) => one[field as keyof SeriesKey | 'unit_id']));
    const query = Array.from(ids, (id) => `ids=${id}`).join('&');
    await ask(asking, `${path.replace('{type}', type)}?${query}`, {});
  }
}

async function ask(asking: Asking, path: string, { headers, ...init }: RequestInit): Promise<void> {
  const { service, token, signal } = asking;
  await turns.next();
  signal.throwIfAborted();
  const all = { ...headers, authorization: `Bearer ${token}` };
  const answer = await service(
    new Request(`http://localhost${path}`, { ...init, headers: all, signal }),
    CONNECTION,
  );
  await answer.arrayBuffer();
}
