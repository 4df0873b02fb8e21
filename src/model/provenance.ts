import type { Source, Unit } from './entity.js';
import type { RetrievalReport } from './report.js';

/** Where a frame's figures come from; it travels in the Arrow and Parquet schema metadata. */
export interface Provenance {
  /** The selections and flags asked for, as given. */
  asked: unknown;
  /** ISO 8601 UTC. */
  retrieved_at: string;
  api_host: string;
  sources: readonly Source[];
  units: readonly Unit[];
  report: RetrievalReport;
}
