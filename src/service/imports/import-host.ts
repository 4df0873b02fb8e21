import type { ImportAsked, ImportJob, ImportWatch } from '../../model/importing/job.js';
import type { Store } from '../../store/store.js';

/** What reads data sets for a service. */
export interface ImportHost {
  /** Where files are kept until they are imported. Only this process may read it. */
  readonly folder: string;
  /** Bytes that the files of one import may have. */
  readonly maxBytes: number;
  /** Refuses what cannot be imported, before its files are sent. @throws ArgumentError when there is no such data set, or its settings or files do not fit */
  check(request: ImportAsked): void;
  /** Imports all or nothing. @returns the report of the wire */
  run(store: Store, job: ImportJob, watch: ImportWatch): Promise<object>;
}
