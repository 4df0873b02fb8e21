import { CONTENT_DIGEST } from '../../contract/content-digest.js';
import { ANSWER_OF } from '../../contract/request-mark.js';
import { REQUEST_ID } from '../../contract/wire-names.js';

const METHODS = 'GET, POST';
const REQUEST_HEADERS = `authorization, content-type, accept, if-none-match, ${REQUEST_ID}`;
const ANSWER_HEADERS = `etag, retry-after, ${REQUEST_ID}, ${CONTENT_DIGEST}, ${ANSWER_OF}`;
const PREFLIGHT_SECONDS = '600';

/** Lets pages of some other sites read answers (CORS): those of the given origins, and no others. */
export class CrossOrigin {
  readonly #origins: ReadonlySet<string>;

  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins);
  }

  /** The answer to a browser that asks whether such a page may send a request; null for every other request. */
  preflight({ method, headers }: Request): Response | null {
    const origin = headers.get('origin');
    const wanted = headers.get('access-control-request-method');
    if (method !== 'OPTIONS' || wanted === null || origin === null || !this.#origins.has(origin)) return null;
    const answer = new Response(null, { status: 204 });
    answer.headers.set('access-control-allow-methods', METHODS);
    answer.headers.set('access-control-allow-headers', REQUEST_HEADERS);
    answer.headers.set('access-control-max-age', PREFLIGHT_SECONDS);
    // A page of the internet may ask a service of a private network only where this says so.
    if (headers.has('access-control-request-private-network'))
      answer.headers.set('access-control-allow-private-network', 'true');
    return answer;
  }

  /** Marks an answer with who may read it. */
  mark({ headers }: Request, answer: Response): Response {
    answer.headers.set('x-content-type-options', 'nosniff');
    answer.headers.set('cross-origin-resource-policy', 'same-origin');
    if (this.#origins.size === 0) return answer;
    answer.headers.append('vary', 'origin');
    const origin = headers.get('origin');
    if (origin !== null && this.#origins.has(origin)) {
      answer.headers.set('access-control-allow-origin', origin);
      answer.headers.set('access-control-expose-headers', ANSWER_HEADERS);
    }
    return answer;
  }
}
