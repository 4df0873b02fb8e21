import type { ImportHost } from './import-host.js';
import { Uploads } from './uploads.js';

/** What handlers of imports work with. */
export interface Imports {
  readonly host: ImportHost;
  readonly uploads: Uploads;
}

/** The imports of a service; null where it allows none. */
export function openImports(host: ImportHost | undefined): Imports | null {
  return host === undefined ? null : { host, uploads: new Uploads(host) };
}
