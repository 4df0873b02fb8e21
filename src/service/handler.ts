import type { EndpointAnswer, EndpointInput, EndpointName } from '../contract/endpoints.js';
import type { Frequency, Unit } from '../model/entity.js';
import type { Store } from '../store/store.js';
import { LoginGuard } from './access/rate-limit.js';
import { CachedSeries, NameCache, type Pictures, perVersion } from './cache/per-version.js';
import { loadPlaceIndex, type PlaceIndex } from './cache/place-index.js';
import type { ServiceMetrics } from './metrics/service-metrics.js';
import { SearchIndexes } from './search.js';
import type { Backups } from './upkeep/backups.js';
import type { Imports } from './upkeep/imports.js';

/** The socket over which a request arrived. */
export interface Connection {
  /** The IP address of the remote end. */
  readonly address: string;
  /** The local port. */
  readonly localPort: number;
}

/**
 * A service as a function from request to response. A server calls it for each request on a socket, and a client in
 * the same process calls it directly, without a connection.
 */
export interface Service {
  (request: Request, connection?: Connection | undefined): Promise<Response>;
  /** Records a request that the server refused itself, in the log and the metrics. */
  readonly refused?: ((refusal: Refusal) => void) | undefined;
}

/** A request that the server refused before the service saw it, such as an unreadable one. */
export interface Refusal {
  /** The id of the request, which the answer carries as `x-request-id`. */
  readonly requestId: string;
  /** The IP address of the remote end of the socket. */
  readonly address: string;
  /** The HTTP method; empty if it could not be read. */
  readonly method: string;
  /** The HTTP status of the answer. */
  readonly status: number;
  /** The reason of the refusal, as in the answer. */
  readonly reason: string;
}

/** A request that is being answered, with facts recorded on the way. */
export interface RequestContext {
  readonly request: Request;
  /** The socket over which the request arrived; absent for a call in the same process. */
  readonly connection: Connection | undefined;
  /** The IP address of the client; null for a call in the same process. */
  readonly address: string | null;
  readonly signal: AbortSignal;
  /** Logs an internal error that occurs after the answer has begun. */
  readonly onFailure: (error: unknown) => void;
  /** The path of the endpoint, with the names of parameters in braces; `other` for an unknown path. */
  operation: string;
  /** The name of the token's holder; empty until a token is accepted, and for endpoints that need no token. */
  holder: string;
  /** True if the client disconnected before its request was complete or answered. */
  aborted?: true | undefined;
  /** The error behind a status of 500 or above, for the log. */
  failure?: string | undefined;
}

export type HandlerInput<Name extends EndpointName> = EndpointInput<Name> & RequestContext;

/** A handler returns the JSON value of the answer, null for an empty one, or a response if the answer is streamed. */
export type Handlers = {
  readonly [Name in EndpointName]: (
    input: HandlerInput<Name>,
    service: ServiceContext,
  ) => Promise<EndpointAnswer<Name> extends null ? Response : EndpointAnswer<Name> | null>;
};

const MAX_FREQUENCIES = 1000;
const MAX_UNITS = 100_000;

/** The dependencies of handlers: the store, and caches that are discarded when the store changes. */
export interface ServiceContext {
  readonly store: Store;
  readonly names: NameCache;
  readonly search: SearchIndexes;
  readonly loginGuard: LoginGuard;
  /** Imports through the service; null if the service allows none. */
  readonly imports: Imports | null;
  readonly backups: Backups;
  /** Cached charts; null if the service draws none. */
  readonly pictures: Pictures | null;
  /** How long a login token is valid, in milliseconds. */
  readonly loginTtlMs: number;
  readonly metrics: ServiceMetrics;
  /** Whether `GET /metrics` is answered. */
  readonly showsMetrics: boolean;
  frequencies(): Promise<ReadonlyMap<number, Frequency>>;
  units(): Promise<ReadonlyMap<number, Unit>>;
  /** Returns the cache of series of the store version. To add listed series, call it before listing. */
  series(): Promise<CachedSeries>;
  places(): Promise<PlaceIndex>;
}

export function createContext(
  store: Store,
  settings: Pick<
    ServiceContext,
    'loginTtlMs' | 'imports' | 'backups' | 'pictures' | 'metrics' | 'showsMetrics'
  >,
): ServiceContext {
  return {
    ...settings,
    store,
    names: new NameCache(store),
    search: new SearchIndexes(store),
    loginGuard: new LoginGuard(),
    frequencies: perVersion(store, async () =>
      indexById(await store.lookup('frequencies', null, { limit: MAX_FREQUENCIES })),
    ),
    units: perVersion(store, async () => indexById(await store.lookup('units', null, { limit: MAX_UNITS }))),
    series: perVersion(store, async () => new CachedSeries()),
    places: perVersion(store, () => loadPlaceIndex(store)),
  };
}

function indexById<Entity extends { readonly id: number }>(entities: readonly Entity[]): Map<number, Entity> {
  return new Map(entities.map((entity) => [entity.id, entity]));
}
