import type { ServiceClient } from '../client/client.js';
import type { EntityType, Source, Unit } from '../model/entity.js';
import type { EntityNames } from '../model/names.js';
import type { PointSet } from '../model/point.js';
import type { Provenance } from '../model/provenance.js';
import type { RetrievalReport } from '../model/report.js';

/** What a frame says beside its figures: names, and where the figures come from. */
export interface FrameContext {
  readonly names: EntityNames;
  readonly provenance: Provenance;
}

/** Looks up everything that a frame of these points names. */
export async function frameContext(
  client: Pick<ServiceClient, 'lookupList' | 'api_host'>,
  points: PointSet,
  options: { asked: unknown; report: RetrievalReport; signal?: AbortSignal | undefined },
): Promise<FrameContext> {
  const { series } = points;
  const unitIds = new Set<number>();
  for (const { unit_id } of series) if (unit_id !== null) unitIds.add(unit_id);
  for (const { unit_id } of points.batches) for (const id of unit_id) unitIds.add(id);
  const find = <Type extends EntityType>(type: Type, ids: Iterable<number>) =>
    client.lookupList(type, [...new Set(ids)], { signal: options.signal });
  const [metrics, items, regions, frequencies, sources, units] = await Promise.all([
    find(
      'metrics',
      series.map((one) => one.metric_id),
    ),
    find(
      'items',
      series.map((one) => one.item_id),
    ),
    find(
      'regions',
      series.flatMap((one) => [one.region_id, one.partner_region_id]),
    ),
    find(
      'frequencies',
      series.map((one) => one.frequency_id),
    ),
    find(
      'sources',
      series.map((one) => one.source_id),
    ),
    find('units', unitIds),
  ]);
  return {
    names: {
      metrics: namesOf(metrics),
      items: namesOf(items),
      regions: namesOf(regions),
      frequencies: namesOf(frequencies),
      sources: namesOf(sources),
      units: new Map([...units].map(([id, unit]) => [id, unit.abbreviation])),
    },
    provenance: {
      asked: options.asked,
      retrieved_at: new Date().toISOString(),
      api_host: client.api_host,
      sources: [...sources.values()] as Source[],
      units: [...units.values()] as Unit[],
      report: options.report,
    },
  };
}

function namesOf(entities: ReadonlyMap<number, { name: string }>): Map<number, string> {
  return new Map([...entities].map(([id, { name }]) => [id, name]));
}
