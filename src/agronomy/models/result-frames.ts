import type { Table } from 'apache-arrow';
import { rowsLike } from '../../frame/formats/rows.js';
import { withProvenance } from '../../frame/table/provenance.js';
import { TEMPERATURE_SYMBOLS } from '../degree-days/plan.js';
import type { ExplainedWeights } from './crop-weighting.js';
import type { RegionDegreeDays } from './growing-degree-days.js';

/**
 * Degree-day totals as a frame, one row a region and interval: `region_name`, `requested` (its name in the request),
 * `start_date`, `end_date`, `total` in `unit`, `source_name`, `coverage` (the share of days with both temperatures), the rule,
 * and `notes`; `cap` is null without an upper threshold. Daily values are left out.
 * @param results what `client.growingDegreeDays` returns with `explain: true`
 */
export function degreeDaysFrame(results: readonly RegionDegreeDays[]): Table {
  return rowsLike(
    results.map(({ region_name, matched, interval, total, coverage, tmin_series, notes, ...rule }) => ({
      region_name,
      requested: matched?.requested ?? region_name,
      start_date: interval?.start_date ?? null,
      end_date: interval?.end_date ?? null,
      total,
      unit: `${TEMPERATURE_SYMBOLS[rule.temperature_unit]}·day`,
      source_name: tmin_series.source_name ?? null,
      coverage,
      method: rule.method,
      cutoff: rule.cutoff,
      base: rule.base,
      cap: rule.cap,
      notes: (notes ?? []).join('; '),
    })),
    {
      ...{ region_name: '', requested: '', start_date: '2000-01-01', end_date: '2000-12-31', total: 0 },
      ...{ unit: '°C·day', source_name: '', coverage: 1 },
      ...{ method: '', cutoff: '', base: 0, cap: 0, notes: '' },
    },
  );
}

/**
 * Weights as a frame, one row a region: `region_id`, `region_name`, `requested` (its name in the request), `weight` (a share
 * of 1) and `source_name`. A region
 * without data has weight 0 and a null source. The table has the provenance of the weights, where they have one.
 */
export function weightsFrame(explained: ExplainedWeights): Table {
  const { regions, weights, series, provenance } = explained;
  const table = rowsLike(
    regions.map(({ id, name }, i) => ({
      region_id: id,
      region_name: series[i]?.region_name ?? name,
      requested: name,
      weight: weights[i]!,
      source_name: series[i]?.source_name ?? null,
    })),
    { region_id: 0, region_name: '', requested: '', weight: 0, source_name: '' },
  );
  return provenance === undefined ? table : withProvenance(table, provenance);
}
