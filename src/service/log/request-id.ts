import { randomUUID } from 'node:crypto';
import { REQUEST_ID } from '../../contract/wire-names.js';

/** What may stand in a log line and a header as it is. */
const SANE_ID = /^[\w.:+/=-]{1,128}$/;

/** The id that the client or a proxy gave a request, or a new one. */
export function requestId(request: Request): string {
  const given = request.headers.get(REQUEST_ID);
  return given !== null && SANE_ID.test(given) ? given : randomUUID();
}
