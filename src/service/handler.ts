import type { EndpointAnswer, EndpointInput, EndpointName } from '../contract/endpoints.js';
import type { EntityOf, EntityType } from '../model/entity.js';
import type { Store } from '../store/store.js';
import { LoginGuard } from './access/rate-limit.js';
import { CachedSeries, type DrawCached, NameCache, perVersion } from './cache/per-version.js';
import { loadPlaces } from './cache/places.js';
import type { ServiceMetrics } from './metrics/service-metrics.js';
import { SearchIndexes } from './search.js';
import type { Backups } from './upkeep/backups.js';
import type { Imports } from './upkeep/imports.js';

/** The socket over which a request arrived. */
export interface Connection {
  /** The remote IP address. */
  readonly address: string;
  /** The local port. */
  readonly localPort: number;
}

/**
 * A service: a function that takes a request and returns a response. A server calls it for each request on a socket. A
 * client in the same process calls it directly, without a connection.
 */
export interface Service {
  (request: Request, connection?: Connection | undefined): Promise<Response>;
  /** Logs and counts a request that the server itself rejected. */
  readonly refused?: ((refusal: Refusal) => void) | undefined;
}

/** A request that the server rejected before it reached the service, such as one that is not valid HTTP. */
export interface Refusal {
  /** The request's id, which is sent in the response's `x-request-id` header. */
  readonly requestId: string;
  /** The remote IP address of the socket. */
  readonly address: string;
  /** The HTTP method; empty if it could not be read. */
  readonly method: string;
  /** The HTTP status of the response. */
  readonly status: number;
  /** Why the request was rejected, as stated in the response. */
  readonly reason: string;
}

/** A request that is being handled, with details that are recorded along the way. */
export interface RequestContext {
  readonly request: Request;
  /** The socket over which the request arrived; absent for a call in the same process. */
  readonly connection: Connection | undefined;
  /** The client's IP address; null for a call in the same process. */
  readonly address: string | null;
  readonly signal: AbortSignal;
  /** Logs an internal error that occurs after the response has begun. */
  readonly onFailure: (error: unknown) => void;
  /** The endpoint's path, with its parameters in braces; `other` for an unknown path. */
  operation: string;
  /** The name of the token's holder; empty until a token is accepted, and for endpoints that need no token. */
  holder: string;
  /** True if the client disconnected before its request was complete or the response was sent. */
  aborted?: true | undefined;
  /** The error that led to a status of 500 or above. It is written to the log. */
  failure?: string | undefined;
}

export type HandlerInput<Name extends EndpointName> = EndpointInput<Name> & RequestContext;

/** A handler returns the value to send as JSON, null for an empty response, or the whole response if it is streamed. */
export type Handlers = {
  readonly [Name in EndpointName]: (
    input: HandlerInput<Name>,
    service: ServiceContext,
  ) => Promise<EndpointAnswer<Name> extends null ? Response : EndpointAnswer<Name> | null>;
};

const MAX_FREQUENCIES = 1000;
const MAX_UNITS = 100_000;

interface ContextSettings {
  /** Null if the service does not allow imports. */
  readonly imports: Imports | null;
  readonly backups: Backups;
  /** Null if the service does not draw charts. */
  readonly drawChart: DrawCached | null;
  readonly loginTtlMs: number;
  /** The service's metrics; null if `GET /metrics` is not available. */
  readonly metrics: ServiceMetrics | null;
}

export function createContext(store: Store, settings: ContextSettings) {
  const allById = <Type extends EntityType>(type: Type, limit: number) =>
    perVersion(store, async (): Promise<ReadonlyMap<number, EntityOf[Type]>> => {
      const entities = await store.lookup(type, null, { limit });
      return new Map(entities.map((entity) => [entity.id, entity]));
    });
  return {
    ...settings,
    store,
    names: new NameCache(store),
    search: new SearchIndexes(store),
    loginGuard: new LoginGuard(),
    frequencies: allById('frequencies', MAX_FREQUENCIES),
    units: allById('units', MAX_UNITS),
    /** Returns the series cache for the store's version. Call it before listing series, or it may get outdated ones. */
    series: perVersion(store, async () => new CachedSeries()),
    places: perVersion(store, () => loadPlaces(store)),
  };
}
/** The dependencies of handlers: the store, caches that are discarded when the store changes, and settings. */
export interface ServiceContext extends Readonly<ReturnType<typeof createContext>> {}
