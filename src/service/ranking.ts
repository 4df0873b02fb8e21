import { type Candidate, rankByCoverage } from '../compute/ranking.js';
import { unitOrNull } from '../contract/series-blocks.js';
import { ArgumentError } from '../model/errors.js';
import { periodDays } from '../model/frequency.js';
import type { SelectionLists } from '../model/selection.js';
import { formatTime } from '../model/time.js';
import type { StoredSeries } from '../store/plan.js';
import type { ServiceContext } from './context.js';
import type { Handlers } from './handler.js';
import { readPluralSelection, readPointSelection, readWindow } from './selection.js';

export const rankSources: Handlers['rankedSources'] = async ({ query, signal }, service) => {
  const candidates = await groupCandidates(service, readPluralSelection(query), { by: 'source_id', signal });
  return rankByCoverage(candidates, readWindow(query)).map(({ id }) => id);
};

export const listTimeFrequencies: Handlers['timeFrequencies'] = async ({ query, signal }, service) => {
  const candidates = await groupCandidates(service, readPluralSelection(query), {
    by: 'frequency_id',
    signal,
  });
  const names = await service.names.of(
    'frequencies',
    candidates.map(({ id }) => id),
  );
  return rankByCoverage(candidates, readWindow(query)).map(({ id, startMs, endMs }) => ({
    startDate: formatTime(startMs),
    endDate: formatTime(endMs),
    frequencyId: id,
    name: names.get(id) ?? '',
  }));
};

/** Series grouped by source or frequency: their whole date range, and the point count of the series with the most points. */
async function groupCandidates(
  { store, frequencies }: ServiceContext,
  selection: SelectionLists,
  { by, signal }: { by: 'source_id' | 'frequency_id'; signal: AbortSignal },
): Promise<Candidate[]> {
  const byId = await frequencies();
  const groups = new Map<number, Candidate>();
  for await (const batch of store.series({ selection, includeHistorical: true }, { signal })) {
    for (const series of batch) {
      const frequency = byId.get(series.frequency_id);
      const days = frequency === undefined ? 1 : periodDays(frequency);
      groups.set(series[by], mergeCandidates(groups.get(series[by]), candidateOf(series, series[by], days)));
    }
  }
  return [...groups.values()];
}

function candidateOf({ startMs, endMs, pointCount }: StoredSeries, id: number, days: number): Candidate {
  return { id, startMs, endMs, pointCount, periodDays: days };
}

function mergeCandidates(group: Candidate | undefined, one: Candidate): Candidate {
  if (group === undefined) return one;
  return {
    id: one.id,
    startMs: Math.min(group.startMs, one.startMs),
    endMs: Math.max(group.endMs, one.endMs),
    pointCount: Math.max(group.pointCount, one.pointCount),
    periodDays: Math.min(group.periodDays, one.periodDays),
  };
}

export const rankTop: Handlers['top'] = async ({ path, query }, { store }) => {
  const byRegion = path.type === 'regions';
  const [required, disallowed] = byRegion
    ? (['itemId', 'regionId'] as const)
    : (['regionId', 'itemId'] as const);
  if (query[required] === undefined)
    throw new ArgumentError(required, `${required}: required when ranking ${path.type}`);
  if (query[disallowed] !== undefined) {
    throw new ArgumentError(disallowed, `${disallowed}: not allowed when ranking ${path.type}; leave it out`);
  }
  const rows = await store.top({
    by: byRegion ? 'region_id' : 'item_id',
    selection: readPointSelection(query),
    ...readWindow(query),
    limit: query.n,
  });
  return rows.map((row) => ({
    metricId: row.metric_id,
    itemId: row.item_id,
    regionId: row.region_id,
    frequencyId: row.frequency_id,
    sourceId: row.source_id,
    unitId: unitOrNull(row.unit_id),
    value: row.value,
  }));
};
