import type { ServiceClient } from '../client/client.js';
import type { PackedPoints } from '../columns/packed-points.js';
import { NO_UNIT_ID, type PointSeries } from '../columns/point-columns.js';
import type { EntityNames, EntityType, Source, Unit } from '../model/entity.js';
import { ContractError } from '../model/errors.js';
import type { Provenance } from '../model/provenance.js';
import type { RetrievalReport } from '../model/report.js';
import type { SeriesKey } from '../model/series.js';

/** The names that a frame shows, and its provenance. */
export interface FrameContext {
  readonly names: EntityNames;
  readonly provenance: Provenance;
}

/** The series of a frame, and the units of its points. */
export interface NamedPoints {
  readonly series: readonly PointSeries[];
  readonly runs: readonly Pick<PackedPoints, 'unit_id'>[];
}

/** Looks up the entities that a frame of these points names, and records its provenance. */
export async function lookUpContext(
  client: Pick<ServiceClient, 'lookupList' | 'api_host'>,
  points: NamedPoints,
  options: {
    asked: unknown;
    report: RetrievalReport;
    /** ISO 8601 UTC; default now. */
    retrieved_at?: string | undefined;
    signal?: AbortSignal | undefined;
    /** False where the frame shows no names: then only its sources and units are looked up. */
    named?: boolean | undefined;
  },
): Promise<FrameContext> {
  const { series } = points;
  const { named = true, signal } = options;
  const find = <Type extends EntityType>(type: Type, ids: Iterable<number>) =>
    readableEntities(client.lookupList(type, [...new Set(ids)], { signal }));
  const name = <Type extends EntityType>(type: Type, ids: Iterable<number>) => find(type, named ? ids : []);
  const [metrics, items, regions, frequencies, sources, units] = await Promise.all([
    name('metrics', idsOf(series, 'metric_id')),
    name('items', idsOf(series, 'item_id')),
    name('regions', [...idsOf(series, 'region_id'), ...idsOf(series, 'partner_region_id')]),
    name('frequencies', idsOf(series, 'frequency_id')),
    find('sources', idsOf(series, 'source_id')),
    find('units', unitsOf(points)),
  ]);
  return {
    names: {
      metrics: namesOf(metrics),
      items: namesOf(items),
      regions: namesOf(regions),
      frequencies: namesOf(frequencies),
      sources: namesOf(sources),
      ...unitNames([...units.values()]),
    },
    provenance: {
      asked: options.asked,
      retrieved_at: options.retrieved_at ?? new Date().toISOString(),
      api_host: client.api_host,
      sources: [...sources.values()] as Source[],
      units: [...units.values()] as Unit[],
      report: options.report,
    },
  };
}

/** The names of units; a unit that a service does not name is called by its abbreviation. */
export function unitNames(units: readonly Unit[]): Pick<EntityNames, 'units' | 'unit_abbreviations'> {
  return {
    units: new Map(units.map(({ id, name, abbreviation }) => [id, name || abbreviation || String(id)])),
    unit_abbreviations: new Map(
      units.flatMap(({ id, abbreviation }) => (abbreviation ? [[id, abbreviation]] : [])),
    ),
  };
}

/**
 * No entities where a field of the answer does not fit: the frame shows their ids. Any other failure is thrown, because
 * another try may name them.
 */
async function readableEntities<Found>(looking: Promise<Map<number, Found>>): Promise<Map<number, Found>> {
  try {
    return await looking;
  } catch (error) {
    if (error instanceof ContractError && error.field !== null) return new Map();
    throw error;
  }
}

function idsOf(series: readonly SeriesKey[], field: keyof SeriesKey): number[] {
  return series.map((one) => one[field]);
}

/** The units of the points, and of series without points. */
function unitsOf({ series, runs }: NamedPoints): Set<number> {
  const units = new Set<number>();
  for (const { unit_id } of series) if (unit_id !== null) units.add(unit_id);
  for (const { unit_id } of runs) {
    if (typeof unit_id === 'number') units.add(unit_id);
    else for (const unit of unit_id) units.add(unit);
  }
  units.delete(NO_UNIT_ID);
  return units;
}

function namesOf(entities: ReadonlyMap<number, { name: string }>): Map<number, string> {
  return new Map([...entities].map(([id, { name }]) => [id, name]));
}
