import { type Address, pathOf } from './addresses.js';

/** The response header with a hash of the request. It lets a client detect a response to a different request. */
export const ANSWER_OF = 'x-answer-of';

/** The parts of a request that both the client and the service know, even if a proxy changes the request's address. */
interface MarkedRequest {
  readonly address: Address;
  readonly path: Readonly<Record<string, string | number>>;
  readonly query: URLSearchParams;
  /** The JSON body; null if there is no body or it is not JSON. */
  readonly json: string | null;
}

/** The maximum length of a hashed body. Only point requests are longer, and clients check the returned series. */
const MAX_JSON_LENGTH = 256 * 1024;

/** Hashes a request (32-bit FNV-1a, in hexadecimal), regardless of the order of its query parameters. */
export function requestMark({ address, path, query, json }: MarkedRequest): string {
  const sorted = new URLSearchParams(query);
  sorted.sort();
  const body = json !== null && json.length <= MAX_JSON_LENGTH ? json : '';
  const text = `${address.method} ${pathOf(address, path)}?${sorted}\n${body}`;
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
