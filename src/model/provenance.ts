import type { Source, Unit } from './entity.js';
import type { RetrievalReport } from './report.js';

/** Where a frame's data came from. Stored in the schema metadata of Arrow and Parquet files. */
export interface Provenance {
  /** The requested selections and flags, as the caller passed them. */
  request: unknown;
  /** When the data were retrieved, as an ISO 8601 string in UTC. */
  retrieved_at: string;
  /** The host of the service from which the data were retrieved. */
  api_host: string;
  /** The sources of the data, with their licences and citations. */
  sources: readonly Source[];
  /** The units of the values. */
  units: readonly Unit[];
  /** Whether each requested series was retrieved, was empty or could not be retrieved. */
  report: RetrievalReport;
}
