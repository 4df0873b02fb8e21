import { type Candidate, rankByCoverage, type WantedPeriod } from '../compute/ranking.js';
import { rankSums } from '../compute/sums.js';
import { unitOrNull } from '../contract/series-blocks.js';
import { isRest, WORLD_REGION_ID } from '../model/entity.js';
import { badArgument } from '../model/errors.js';
import type { SelectionLists } from '../model/selection.js';
import { formatTime } from '../model/time.js';
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
    if (query[disallowed] !== undefined)
      throw badArgument(disallowed, `cannot be specified when ranking ${path.type}; omit it`);
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

/**
 * Groups series by source or by frequency. A group covers the dates of all its series, and has the point count of the
 * series with the most points. Series with a partner other than the world are omitted if the same source or frequency
 * also has series whose partner is the world.
 */
async function groupCandidates(
  { store, frequencies }: ServiceContext,
  selection: SelectionLists,
  { by, signal }: { by: 'source_id' | 'frequency_id'; signal: AbortSignal },
): Promise<Candidate[]> {
  const byId = await frequencies();
  const groups = new Map<string, Candidate & { readonly isPartnered: boolean }>();
  for await (const batch of store.series({ selection }, { signal })) {
    await turns.next();
    for (const series of batch) {
      const { [by]: id, startMs, endMs, pointCount, frequency_id } = series;
      const isPartnered = series.partner_region_id !== WORLD_REGION_ID;
      const key = `${id}-${frequency_id}-${isPartnered}`;
      const known = groups.get(key);
      groups.set(key, {
        id,
        isPartnered,
        periodLength: byId.get(frequency_id)?.periodLength ?? { days: 1 },
        startMs: Math.min(known?.startMs ?? startMs, startMs),
        endMs: Math.max(known?.endMs ?? endMs, endMs),
        pointCount: Math.max(known?.pointCount ?? 0, pointCount),
      });
    }
  }
  const all = [...groups.values()];
  const ofWorld = new Set(all.filter((group) => !group.isPartnered).map(({ id }) => id));
  return all.filter(({ id, isPartnered }) => !(isPartnered && ofWorld.has(id)));
}
