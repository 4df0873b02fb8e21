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
  /** The IP address of the other end. */
  readonly address: string;
  /** The port of this end. */
  readonly localPort: number;
}

/**
 * A whole service as a function: a server calls it for a socket, and a client in the same process calls it directly,
 * without a connection.
 */
export interface Service {
  (request: Request, connection?: Connection | undefined): Promise<Response>;
  /** Called by a server for requests that it refuses itself, for the log and the metrics. */
  readonly refused?: ((refusal: Refusal) => void) | undefined;
}

/** A request that a server refused before the service saw it, because it could not be read or the server stops. */
export interface Refusal {
  /** The id that the answer has. */
  readonly requestId: string;
  /** The IP address of the other end of the socket. */
  readonly address: string;
  /** The HTTP method; empty where it could not be read. */
  readonly method: string;
  /** The HTTP status of the answer. */
  readonly status: number;
  /** The fault, as the answer says it. */
  readonly reason: string;
}

/** A request while it is answered, with the facts that become known of it. */
export interface RequestContext {
  readonly request: Request;
  /** The socket over which it arrived; absent for a call in the same process. */
  readonly connection: Connection | undefined;
  /** The IP address of the client; null for a call in the same process. */
  readonly address: string | null;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** Logs a fault of the service that happens after its answer has begun. */
  readonly onFailure: (error: unknown) => void;
  /** The path of its operation, with the names of parameters; `other` for every other path. */
  operation: string;
  /** Who makes the request, by the name of the token; empty before one is accepted, and for an operation that needs none. */
  holder: string;
  /** True when the client left before its request was complete or answered. */
  aborted?: true | undefined;
  /** The reason of a status of 500 and above. */
  failure?: string | undefined;
}

/** A parsed request. */
export type HandlerInput<Name extends EndpointName> = EndpointInput<Name> & RequestContext;

/**
 * One handler per endpoint. It returns the JSON value of the answer, null for an empty answer, or a response where the
 * answer is streamed.
 */
export type Handlers = {
  readonly [Name in EndpointName]: (
    input: HandlerInput<Name>,
    service: ServiceContext,
  ) => Promise<EndpointAnswer<Name> extends null ? Response : EndpointAnswer<Name> | null>;
};

const MAX_FREQUENCIES = 1000;
const MAX_UNITS = 100_000;

/** The means of handlers: the store, and the caches between requests until the store's next version. */
export interface ServiceContext {
  readonly store: Store;
  readonly names: NameCache;
  readonly search: SearchIndexes;
  readonly loginGuard: LoginGuard;
  /** Imports while serving; null where the service allows none. */
  readonly imports: Imports | null;
  readonly backups: Backups;
  /** Drawn charts; null where the service draws none. */
  readonly pictures: Pictures | null;
  /** How long the token of a login is valid. */
  readonly loginTtlMs: number;
  readonly metrics: ServiceMetrics;
  /** Whether the metrics may be asked for. */
  readonly showsMetrics: boolean;
  frequencies(): Promise<ReadonlyMap<number, Frequency>>;
  units(): Promise<ReadonlyMap<number, Unit>>;
  /** The series of the store's version. A caller that adds listed series asks for this before the listing begins. */
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
      byId(await store.lookup('frequencies', null, { limit: MAX_FREQUENCIES })),
    ),
    units: perVersion(store, async () => byId(await store.lookup('units', null, { limit: MAX_UNITS }))),
    series: perVersion(store, async () => new CachedSeries()),
    places: perVersion(store, () => loadPlaceIndex(store)),
  };
}

function byId<Entity extends { readonly id: number }>(entities: readonly Entity[]): Map<number, Entity> {
  return new Map(entities.map((entity) => [entity.id, entity]));
}
