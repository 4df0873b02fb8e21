import type { Source, Unit } from './entity.js';
import type { RetrievalReport } from './report.js';

/** Where the data of a frame comes from; stored in the Arrow and Parquet schema metadata. */
export interface Provenance {
  /** The requested selections and flags, as given. */
  request: unknown;
  /** ISO 8601 UTC. */
  retrieved_at: string;
  /** The service that the figures were retrieved from. */
  api_host: string;
  /** The sources of the figures, with licence and citation. */
  sources: readonly Source[];
  /** The units of the figures. */
  units: readonly Unit[];
  /** The outcome of each requested series. */
  report: RetrievalReport;
}
