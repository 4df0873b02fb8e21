import type { Frequency, Unit } from '../model/entity.js';
import type { IdRedirect, Store } from '../store/store.js';
import { LoginGuard } from './access/login-guard.js';
import type { Backups } from './backups/backups.js';
import { NameCache } from './cache/names.js';
import { perVersion } from './cache/per-version.js';
import { loadPlaceIndex, type PlaceIndex } from './cache/place-index.js';
import { SeriesCache } from './cache/series.js';
import type { Imports } from './imports/imports.js';
import type { ServiceMetrics } from './metrics/service-metrics.js';
import { SearchIndexes } from './search.js';

const MAX_FREQUENCIES = 1000;
const MAX_UNITS = 100_000;

/** What handlers work with: the store, and what is cached between requests until the store's next version. */
export interface ServiceContext {
  readonly store: Store;
  readonly names: NameCache;
  readonly seriesCache: SeriesCache;
  readonly search: SearchIndexes;
  readonly loginGuard: LoginGuard;
  /** Imports while serving; null where the service allows none. */
  readonly imports: Imports | null;
  readonly backups: Backups;
  /** How long the token of a login is valid. */
  readonly loginTtlMs: number;
  readonly metrics: ServiceMetrics;
  /** Whether the metrics may be asked for. */
  readonly showsMetrics: boolean;
  frequencies(): Promise<ReadonlyMap<number, Frequency>>;
  units(): Promise<ReadonlyMap<number, Unit>>;
  idRedirects(): Promise<readonly IdRedirect[]>;
  places(): Promise<PlaceIndex>;
}

export function createContext(
  store: Store,
  given: Pick<ServiceContext, 'loginTtlMs' | 'imports' | 'backups' | 'metrics' | 'showsMetrics'>,
): ServiceContext {
  return {
    ...given,
    store,
    names: new NameCache(store),
    seriesCache: new SeriesCache(store),
    search: new SearchIndexes(store),
    loginGuard: new LoginGuard(),
    frequencies: perVersion(store, async () => byId(await store.list('frequencies', MAX_FREQUENCIES))),
    units: perVersion(store, async () => byId(await store.list('units', MAX_UNITS))),
    idRedirects: perVersion(store, () => store.idRedirects()),
    places: perVersion(store, () => loadPlaceIndex(store)),
  };
}

function byId<Entity extends { readonly id: number }>(entities: readonly Entity[]): Map<number, Entity> {
  return new Map(entities.map((entity) => [entity.id, entity]));
}
