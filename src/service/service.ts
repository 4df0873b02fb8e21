import type { Endpoint } from '../contract/endpoints.js';
import { checkFunction, checkThat } from '../model/arguments/checks.js';
import { checkOptions, type OptionKeys } from '../model/arguments/option-keys.js';
import { checkStore } from '../store/check-store.js';
import type { Store } from '../store/store.js';
import { type Authorizer, bearerToken, storeAuthorizer } from './access/auth.js';
import { createContext } from './context.js';
import { callHandler } from './endpoints.js';
import type { Service } from './handler.js';
import { answerFailures, jsonAnswer, valueAnswer } from './http/answers.js';
import { entityTag, matchesTag, notModifiedAnswer } from './http/etag.js';
import { findIdRedirects } from './http/id-redirects.js';
import { RateLimit } from './http/rate-limit.js';
import { checkAddressLength, readRequest } from './http/read-request.js';
import { createRouter } from './http/router.js';
import { type AddressOf, type Log, logAnswers, type RequestNotes } from './log/access-log.js';

/** Who may use a service, how often, and where its log goes. */
export interface ServiceOptions {
  /** Decides about access; by default the store's tokens are accepted. */
  readonly authorize?: Authorizer | undefined;
  /** Called with one entry for every answer; no log by default. */
  readonly log?: Log | undefined;
  /** Requests that each token may make per minute; unlimited by default. */
  readonly requestsPerMinute?: number | undefined;
}

const SERVICE_KEYS: OptionKeys<ServiceOptions> = {
  authorize: checkFunction,
  log: checkFunction,
  requestsPerMinute: checkThat((value) => typeof value === 'number' && value > 0, 'a number above 0'),
};

/**
 * Creates the service over a store, by the contract of `contract/endpoints.ts`. It needs no closing; close the store.
 *
 * Every request goes through `answer` from top to bottom: address, route, access, parsing, id redirects, entity tag,
 * handler. Failures become problem answers, and every answer is logged. `serve` adds compression.
 */
export function createService(store: Store, options: ServiceOptions = {}): Service {
  checkStore(store, 'store');
  checkOptions(options, SERVICE_KEYS, 'createService');
  const { log, requestsPerMinute, authorize = storeAuthorizer(store.access) } = options;
  const context = createContext(store);
  const rateLimit =
    requestsPerMinute === undefined ? null : new RateLimit({ amount: requestsPerMinute, perMs: 60_000 });
  const route = createRouter();

  const answer = async (request: Request, notes: RequestNotes): Promise<Response> => {
    checkAddressLength(request);
    return route(request, async ({ name, endpoint, path }) => {
      if (endpoint.open !== true) {
        notes.holder = await authorize(bearerToken(request));
        rateLimit?.take(notes.holder, endpoint.path);
      }

      const input = await readRequest(endpoint, request, path);
      const redirects = await findIdRedirects(input, await context.idRedirects());
      if (redirects.length > 0) return jsonAnswer({ data: redirects }, 301);

      const tag = isTagged(endpoint) ? entityTag(request, await store.version()) : null;
      if (tag !== null && matchesTag(request, tag)) return notModifiedAnswer(tag);

      const result = await callHandler(name, { ...input, request, signal: request.signal }, context);
      const response = result instanceof Response ? result : await valueAnswer(endpoint, result);
      if (tag !== null) response.headers.set('etag', tag);
      response.headers.set('vary', 'accept, accept-encoding, authorization');
      return response;
    });
  };

  const addressOf: AddressOf = (_request, connection) => connection?.address ?? null;
  return logAnswers({ log, addressOf }, (request, notes) =>
    answerFailures({ notes, signal: request.signal }, () => answer(request, notes)),
  );
}

function isTagged(endpoint: Endpoint): boolean {
  return endpoint.method === 'GET' && endpoint.open !== true;
}
