import type { Fetch } from '../../src/client/http/request.js';

/**
 * The same service as one that speaks the JSON base of the wire alone: no batches, no runs, no ETags, no resolving of names, and
 * none of the additions to its answers.
 */
export function jsonOnlyService(
  service: Fetch,
  how: { refuseRuns?: 'ignore' | 'status 406'; refuseBatches?: 404 | 405 } = {},
): Fetch {
  const { refuseRuns = 'ignore', refuseBatches = 404 } = how;
  return async (request) => {
    const url = new URL(request.url);
    const { pathname } = url;
    if (request.method === 'POST' && pathname === '/v2/data') return problem(refuseBatches);
    if (pathname === '/v2/resolve') return problem(404);
    const accept = request.headers.get('accept') ?? '';
    if (refuseRuns === 'status 406' && accept.includes('cropframe')) return problem(406);
    const headers = new Headers(request.headers);
    headers.set('accept', 'application/json');
    for (const flag of UNKNOWN_FLAGS) url.searchParams.delete(flag);
    const { method } = request;
    const body = method === 'GET' ? null : await request.text();
    const asked = new Request(url, { method, headers, body, signal: request.signal });
    return baseAnswer(await service(asked), pathname);
  };
}

/** The client's own work where the base alone is spoken. */
const UNKNOWN_FLAGS = ['includeHistorical', 'unitId'];

function problem(status: number): Response {
  const body = JSON.stringify({ error: 'unknown', message: 'this service does not know that' });
  return new Response(body, { status, headers: { 'content-type': 'application/json' } });
}

const BASE_HEADERS = ['content-type', 'retry-after'];

async function baseAnswer(response: Response, pathname: string): Promise<Response> {
  const headers = new Headers();
  for (const name of BASE_HEADERS) {
    const value = response.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  const text = await response.text();
  const additions = pathname.startsWith('/v2/search/') ? HIT_ADDITIONS : ADDITIONS;
  const withoutAdditions = (key: string, value: unknown) => (additions.has(key) ? undefined : value);
  const body = text === '' ? null : JSON.stringify(JSON.parse(text, withoutAdditions));
  return new Response(body, { status: response.status, headers });
}

const HIT_ADDITIONS = new Set(['name', 'exact']);
const ADDITIONS = new Set([
  ...['data_count_estimate', 'longName', 'licence', 'citation', 'url', 'dimension'],
  ...['station_id', 'station_name', 'station_km'],
  ...['start_timestamp', 'weight_present', 'regions_without_data', 'regions_without_weight'],
]);
