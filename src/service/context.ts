import type { IdRedirect, Store } from '../store/store.js';
import { LoginGuard } from './access/login-guard.js';
import { NameCache } from './names.js';
import { perVersion } from './per-version.js';
import { KnownSeries } from './points/known-series.js';
import { SearchIndexes } from './search.js';

/** What every handler works with: the store, and what is worth keeping between requests while its version stays. */
export interface ServiceContext {
  readonly store: Store;
  readonly names: NameCache;
  readonly knownSeries: KnownSeries;
  readonly search: SearchIndexes;
  readonly logins: LoginGuard;
  idRedirects(): Promise<readonly IdRedirect[]>;
}

export function createContext(store: Store): ServiceContext {
  return {
    store,
    names: new NameCache(store),
    knownSeries: new KnownSeries(store),
    search: new SearchIndexes(store),
    logins: new LoginGuard(),
    idRedirects: perVersion(store, () => store.idRedirects()),
  };
}
