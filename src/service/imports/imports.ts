import type { ImportJob, ImportWatch } from '../../model/importing/job.js';
import type { Store } from '../../store/store.js';
import type { ImportHost } from './uploads.js';
import { Uploads } from './uploads.js';

/** The imports of a service: files that arrive, and imports that run. */
export class Imports {
  readonly uploads: Uploads;
  #running = 0;

  readonly #host: ImportHost;

  constructor(host: ImportHost) {
    this.#host = host;
    this.uploads = new Uploads(host);
  }

  /** Imports that run. */
  get running(): number {
    return this.#running;
  }

  /** Imports all or nothing. @returns the report of the wire */
  async run(store: Store, job: ImportJob, watch: ImportWatch): Promise<object> {
    this.#running++;
    try {
      return await this.#host.run(store, job, watch);
    } finally {
      this.#running--;
    }
  }
}

/** The imports of a service; null where it allows none. */
export function openImports(host: ImportHost | undefined): Imports | null {
  return host === undefined ? null : new Imports(host);
}
