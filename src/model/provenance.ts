import type { Source, Unit } from './entity.js';
import type { RetrievalReport } from './report.js';

/** The origin of the data in a frame; stored in the metadata of the Arrow and Parquet schema. */
export interface Provenance {
  /** The requested selections and flags, as the caller passed them. */
  request: unknown;
  /** The time of retrieval, ISO 8601 UTC. */
  retrieved_at: string;
  /** The service from which the figures were retrieved. */
  api_host: string;
  /** The sources of the figures, with licence and citation. */
  sources: readonly Source[];
  /** The units of the figures. */
  units: readonly Unit[];
  /** The outcome of each requested series. */
  report: RetrievalReport;
}
