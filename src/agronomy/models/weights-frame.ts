import type { Table } from 'apache-arrow';
import { fromRows } from '../../frame/formats/rows.js';
import type { ExplainedWeights } from './crop-weighting.js';

/**
 * Weights as a frame, one row a region: `region_id`, `region_name`, `weight` (a share of 1) and `source_name`, where the
 * figures come from; null for a region without data, which weighs 0.
 */
export function weightsFrame({ regions, weights, series }: ExplainedWeights): Table {
  return fromRows(
    regions.map(({ id, name }, i) => ({
      region_id: id,
      region_name: series[i]?.region_name ?? name,
      weight: weights[i]!,
      source_name: series[i]?.source_name ?? null,
    })),
  );
}
