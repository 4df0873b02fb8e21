import { type Candidate, rankByCoverage, type WantedPeriod } from '../compute/ranking.js';
import { rankSums } from '../compute/sums.js';
import { unitOrNull } from '../contract/series-blocks.js';
import { type Frequency, isRest, WORLD_REGION_ID } from '../model/entity.js';
import { badArgument } from '../model/errors.js';
import type { SelectionLists } from '../model/selection.js';
import { formatTime } from '../model/time.js';
import type { StoredSeries } from '../store/plan.js';
import { turns } from '../store/turns.js';
import type { Handlers, ServiceContext } from './handler.js';
import { readPluralSelection, readPointSelection, readWindow } from './selection.js';

export const rankingHandlers = {
  rankedSources: async ({ query, signal }, service) => {
    const selection = readPluralSelection(query);
    const candidates = await groupCandidates(service, selection, { by: 'source_id', signal });
    return bestById(candidates, readWindow(query)).map(({ id }) => id);
  },

  timeFrequencies: async ({ query, signal }, service) => {
    const selection = readPluralSelection(query);
    const candidates = await groupCandidates(service, selection, { by: 'frequency_id', signal });
    const names = await service.names.of(
      'frequencies',
      candidates.map(({ id }) => id),
    );
    return bestById(candidates, readWindow(query)).map(({ id, startMs, endMs }) => ({
      startDate: formatTime(startMs),
      endDate: formatTime(endMs),
      frequencyId: id,
      name: names.get(id) ?? '',
    }));
  },

  top: async ({ path, query, signal }, { store, names, units }) => {
    const byRegion = path.type === 'regions';
    const [required, disallowed] = byRegion
      ? (['itemId', 'regionId'] as const)
      : (['regionId', 'itemId'] as const);
    if (query[required] === undefined) throw badArgument(required, `is required when ranking ${path.type}`);
    if (query[disallowed] !== undefined) {
      throw badArgument(disallowed, `cannot be specified when ranking ${path.type}; omit it`);
    }
    const plan = { selection: readPointSelection(query), ...readWindow(query) };
    const sums = rankSums(await store.sums(plan, { signal }), await units());
    const nameOf = byRegion ? await names.ofFields(sums, ['region_id']) : () => '';
    const places = sums.filter((row) => !isRest(nameOf('region_id', row)));
    return places.slice(0, query.n).map((row) => ({
      metricId: row.metric_id,
      itemId: row.item_id,
      regionId: row.region_id,
      frequencyId: row.frequency_id,
      sourceId: row.source_id,
      unitId: unitOrNull(row.unit_id),
      value: row.value,
    }));
  },
} satisfies Partial<Handlers>;

function bestById(candidates: readonly Candidate[], wanted: WantedPeriod): Candidate[] {
  const best = new Map<number, Candidate>();
  for (const candidate of rankByCoverage(candidates, wanted))
    if (!best.has(candidate.id)) best.set(candidate.id, candidate);
  return [...best.values()];
}

interface CandidateGroup extends Candidate {
  readonly isPartnered: boolean;
}

/**
 * Groups series by source or by frequency. A group covers the dates of all its series, and has the point count of the
 * series with the most points. If a source or a frequency has series whose partner is the world, its series with other
 * partners are omitted.
 */
async function groupCandidates(
  { store, frequencies }: ServiceContext,
  selection: SelectionLists,
  { by, signal }: { by: 'source_id' | 'frequency_id'; signal: AbortSignal },
): Promise<Candidate[]> {
  const byId = await frequencies();
  const groups = new Map<string, CandidateGroup>();
  for await (const batch of store.series({ selection }, { signal })) {
    await turns.next();
    for (const series of batch) {
      const one = groupOf(series, series[by], byId);
      const key = `${one.id}-${series.frequency_id}-${one.isPartnered}`;
      groups.set(key, mergeGroups(groups.get(key), one));
    }
  }
  const all = [...groups.values()];
  const ofWorld = new Set(all.filter((group) => !group.isPartnered).map(({ id }) => id));
  return all.filter(({ id, isPartnered }) => !(isPartnered && ofWorld.has(id)));
}

function groupOf(
  series: StoredSeries,
  id: number,
  frequencies: ReadonlyMap<number, Frequency>,
): CandidateGroup {
  const { startMs, endMs, pointCount, frequency_id, partner_region_id } = series;
  const periodLength = frequencies.get(frequency_id)?.periodLength ?? { days: 1 };
  return { id, startMs, endMs, pointCount, periodLength, isPartnered: partner_region_id !== WORLD_REGION_ID };
}

function mergeGroups(group: CandidateGroup | undefined, one: CandidateGroup): CandidateGroup {
  if (group === undefined) return one;
  return {
    ...one,
    startMs: Math.min(group.startMs, one.startMs),
    endMs: Math.max(group.endMs, one.endMs),
    pointCount: Math.max(group.pointCount, one.pointCount),
  };
}
