import type { ServiceClient } from '../client/client.js';
import { type PackedPoints, unitsOf } from '../columns/packed-points.js';
import type { PointSeries } from '../columns/point-columns.js';
import {
  type EntityNames,
  type EntityType,
  type Source,
  type Unit,
  WORLD_NAME,
  WORLD_REGION_ID,
} from '../model/entity.js';
import { ContractError } from '../model/errors.js';
import { linkedAbort } from '../model/linked-abort.js';
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

interface NamingOptions {
  /** False where the frame shows no names: then only its sources and units are looked up. */
  readonly named?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

type NamingClient = Pick<ServiceClient, 'lookupList'>;

/**
 * Fetches points, and meanwhile looks up the entities that name their series. Where the points fail, the lookups end.
 * @returns the fetched points, and a promise for the end of the lookups, which fails as they do
 */
export async function fetchWithNames<Fetched>(
  client: NamingClient,
  series: readonly SeriesKey[],
  { named, signal, fetch }: NamingOptions & { fetch: () => Promise<Fetched> },
): Promise<{ fetched: Fetched; looking: Promise<void> }> {
  const { abort, unlink, ...linked } = linkedAbort(signal);
  const fetching = fetch();
  const looking = Promise.all(lookUpSeries(client, series, { named, signal: linked.signal })).then(() => {});
  looking.catch(() => {}).finally(unlink);
  try {
    return { fetched: await fetching, looking };
  } catch (error) {
    abort(error);
    throw error;
  }
}

/** Looks up the entities that a frame of these points names, and records its provenance. */
export async function lookUpContext(
  client: NamingClient & Pick<ServiceClient, 'api_host'>,
  points: NamedPoints,
  options: NamingOptions & {
    request: unknown;
    report: RetrievalReport;
    /** ISO 8601 UTC; default now. */
    retrieved_at?: string | undefined;
  },
): Promise<FrameContext> {
  const ofSeries = points.series.flatMap(({ unit_id }) => unit_id ?? []);
  const ids = new Set([...ofSeries, ...unitsOf(points.runs)]);
  const [metrics, items, regions, frequencies, sources, units] = await Promise.all([
    ...lookUpSeries(client, points.series, options),
    lookUp(client, { type: 'units', ids: [...ids], signal: options.signal }),
  ]);
  return {
    names: {
      metrics: namesOf(metrics),
      items: namesOf(items),
      regions: new Map([[WORLD_REGION_ID, WORLD_NAME], ...namesOf(regions)]),
      frequencies: namesOf(frequencies),
      sources: namesOf(sources),
      ...unitNames([...units.values()]),
    },
    provenance: {
      request: options.request,
      retrieved_at: options.retrieved_at ?? new Date().toISOString(),
      api_host: client.api_host,
      sources: [...sources.values()] as Source[],
      units: [...units.values()] as Unit[],
      report: options.report,
    },
  };
}

/** Looks up the metrics, items, regions, frequencies and sources of series. */
function lookUpSeries(
  client: NamingClient,
  series: readonly SeriesKey[],
  { named = true, signal }: NamingOptions,
) {
  const ids = (field: keyof SeriesKey) => series.map((one) => one[field]);
  const name = <Type extends EntityType>(type: Type, wanted: readonly number[]) =>
    lookUp(client, { type, ids: named ? wanted : [], signal });
  const partners = ids('partner_region_id').filter((id) => id !== WORLD_REGION_ID);
  return [
    name('metrics', ids('metric_id')),
    name('items', ids('item_id')),
    name('regions', [...ids('region_id'), ...partners]),
    name('frequencies', ids('frequency_id')),
    lookUp(client, { type: 'sources', ids: ids('source_id'), signal }),
  ] as const;
}

function lookUp<Type extends EntityType>(
  client: NamingClient,
  { type, ids, signal }: { type: Type; ids: readonly number[]; signal: AbortSignal | undefined },
) {
  return readableEntities(client.lookupList(type, ids, { signal }));
}

/** Looks up the names of units. A unit without a name is called by its abbreviation. */
export function unitNames(units: readonly Unit[]): Pick<EntityNames, 'units' | 'unit_abbreviations'> {
  return {
    units: new Map(units.map(({ id, name, abbreviation }) => [id, name || abbreviation || String(id)])),
    unit_abbreviations: new Map(
      units.flatMap(({ id, abbreviation }) => (abbreviation ? [[id, abbreviation]] : [])),
    ),
  };
}

/**
 * Returns no entities if a field of the response does not fit the contract, so that the frame shows ids. Any other
 * failure is thrown, because another try may name them.
 */
async function readableEntities<Found>(looking: Promise<Map<number, Found>>): Promise<Map<number, Found>> {
  try {
    return await looking;
  } catch (error) {
    if (error instanceof ContractError && error.field !== null) return new Map();
    throw error;
  }
}

function namesOf(entities: ReadonlyMap<number, { name: string }>): Map<number, string> {
  return new Map([...entities].map(([id, { name }]) => [id, name]));
}
