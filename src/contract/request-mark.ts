import { type Address, pathOf } from './addresses.js';

/** Response header that repeats the mark of the request, so that a client detects a response to another request. */
export const ANSWER_OF = 'x-answer-of';

/** A request as both the client and the service see it, even if a proxy between them changes its address. */
interface MarkedRequest {
  readonly address: Address;
  readonly path: Readonly<Record<string, string | number>>;
  readonly query: URLSearchParams;
  /** A JSON body; null for any other body. */
  readonly json: string | null;
}

/** The maximum length of a marked body. Longer requests are for points, whose answers name their series. */
const MAX_JSON_LENGTH = 256 * 1024;

/** Hashes a request (32-bit FNV-1a, in hexadecimal). The order of different parameters does not matter. */
export function requestMark({ address, path, query, json }: MarkedRequest): string {
  const sorted = new URLSearchParams(query);
  sorted.sort();
  const body = json !== null && json.length <= MAX_JSON_LENGTH ? json : '';
  const text = `${address.method} ${pathOf(address, path)}?${sorted}\n${body}`;
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
