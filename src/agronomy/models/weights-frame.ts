import { rowsLike } from '../../frame/formats/from-rows.js';
import { type Frame, frameOf } from '../../frame/frame.js';
import { withProvenance } from '../../frame/table/provenance.js';
import type { ExplainedWeights } from './crop-weighting.js';

/**
 * Returns weights as a frame with one row per region. The columns are `region_id`, `region_name`, `requested` (the name
 * that was requested), `weight` (the weights sum to 1), `start_date` and `end_date` (of the values whose mean is the
 * weight), and `source_name`. A region with no data has weight 0, no dates and no source. The frame includes the
 * weights' provenance, if there is any.
 */
export function weightsFrame(explained: ExplainedWeights): Frame {
  const { regions, weights, series, periods, provenance } = explained;
  const table = rowsLike(
    regions.map(({ id, name }, i) => ({
      region_id: id,
      region_name: series[i]?.region_name ?? name,
      requested: name,
      weight: weights[i]!,
      start_date: dateOf(periods[i]?.startMs),
      end_date: dateOf(periods[i]?.endMs),
      source_name: series[i]?.source_name ?? null,
    })),
    {
      ...{ region_id: 0, region_name: '', requested: '', weight: 0 },
      ...{ start_date: new Date(0), end_date: new Date(0), source_name: '' },
    },
  );
  return provenance === undefined ? table : frameOf(withProvenance(table, provenance));
}

function dateOf(ms: number | undefined): Date | null {
  return ms === undefined ? null : new Date(ms);
}
