import type { Endpoint } from '../../../src/contract/addresses.js';
import { type EndpointName, endpoints } from '../../../src/contract/endpoints.js';
import { EXAMPLE_REQUESTS } from '../../../src/contract/openapi/document.js';
import { type DemoService, TOKEN } from '../../journeys/demo-service.js';

/** Whose answers differ each time, or need more than the demo data: their examples are written by hand. */
export const BY_HAND: readonly EndpointName[] = [
  'health',
  'metrics',
  'accessToken',
  'importBegin',
  'importPart',
  'importRun',
  'importCancel',
  'backupBegin',
  'backupPart',
  'backupDiscard',
];

/** Has no answer, that of another operation, or a picture. */
const WITHOUT: readonly EndpointName[] = ['pointsBatch', 'chart'];

export const RECORDED = (Object.keys(endpoints) as EndpointName[]).filter(
  (name) => ![...BY_HAND, ...WITHOUT].includes(name),
);

/** What a service with the demo data answers to the request of an example: JSON, or the text of a stream. */
export async function answerOf(
  { service }: Pick<DemoService, 'service'>,
  name: EndpointName,
): Promise<unknown> {
  const { method, path } = endpoints[name] as Endpoint;
  const { path: places = {}, query = {}, form, body } = EXAMPLE_REQUESTS[name];
  const url = new URL(
    path.replace(/\{(\w+)\}/g, (_, key: string) => String(places[key])),
    'http://service.invalid',
  );
  for (const [key, value] of Object.entries(query))
    for (const one of [value].flat()) url.searchParams.append(key, String(one));
  const headers: Record<string, string> = { authorization: `Bearer ${TOKEN}`, accept: 'application/json' };
  if (body !== undefined) headers['content-type'] = 'application/json';
  const sent = form === undefined ? body && JSON.stringify(body) : new URLSearchParams(form);
  const response = await service(new Request(url, { method, headers, body: (sent as string) ?? null }));
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${name}: ${response.status} ${text}`);
  return response.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : text;
}
