import { RuntimeError } from '../model/errors.js';
import { entityOperations } from './entities.js';
import { geographyOperations } from './geography.js';
import { readHost } from './host.js';
import { pointOperations } from './points.js';
import { rankingOperations } from './ranking.js';
import type { RetryPolicy } from './retry.js';
import { seriesOperations } from './series.js';
import { createTransport, type Fetch } from './transport.js';

/** How a client reaches its service. */
export interface ClientOptions {
  /** The service; by default `CROPFRAME_HOST`, or where `cropframe serve` listens on this machine. */
  api_host?: string;
  /** By default the environment variable `API_TOKEN`. */
  access_token?: string;
  /** How requests are sent: the service itself in process, or a fetch of your own. */
  fetch?: Fetch;
  /** Requests under way at once; default 10. */
  concurrency?: number;
  /** Longest time that one try may take; default one minute. */
  timeoutMs?: number;
  /** Tries after the first, and the waits between them; by default four. */
  retry?: Partial<RetryPolicy>;
}

/**
 * The operations that ask the service one thing each, bound to a host and a token.
 * @throws RuntimeError when there is neither an access token nor `API_TOKEN`
 */
export function createServiceClient(options: ClientOptions = {}) {
  const token = options.access_token ?? globalThis.process?.env.API_TOKEN;
  if (token === undefined || token === '') {
    throw new RuntimeError('no access token: give access_token, or set the environment variable API_TOKEN');
  }
  const { fetch, concurrency, timeoutMs, retry } = options;
  const transport = createTransport({
    host: readHost(options.api_host),
    token,
    fetch,
    concurrency,
    timeoutMs,
    retry,
  });
  const entities = entityOperations(transport);
  return {
    api_host: transport.host,
    ...entities,
    ...seriesOperations(transport, entities),
    ...pointOperations(transport, entities),
    ...geographyOperations(transport),
    ...rankingOperations(transport),
  };
}

export type ServiceClient = ReturnType<typeof createServiceClient>;
