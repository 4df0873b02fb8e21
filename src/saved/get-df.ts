import * as v from 'valibot';
import type { ServiceClient } from '../client/client.js';
import { type PackedPoints, type PointSet, unitsOf } from '../columns/packed-points.js';
import type { PointSeries } from '../columns/point-columns.js';
import { longFrame } from '../frame/build/long.js';
import { wideFrame } from '../frame/build/wide.js';
import type { LongFrame, WideFrame } from '../frame/frame.js';
import {
  type EntityNames,
  type EntityType,
  type Source,
  type Unit,
  WORLD_NAME,
  WORLD_REGION_ID,
} from '../model/entity.js';
import { badArgument, ContractError } from '../model/errors.js';
import { LONG_OPERATION, type LongOperation } from '../model/progress.js';
import type { Provenance } from '../model/provenance.js';
import { PartialDataError, type RetrievalReport } from '../model/report.js';
import type { OptionsOf } from '../model/schema/check.js';
import { FIELDS, POINT_FLAGS, type PointFlags } from '../model/schema/fields.js';
import { ID, listOf, oneOf, TEXT } from '../model/schema/schemas.js';
import type { SeriesKey } from '../model/series.js';
import {
  drainSeries,
  type FetchingClient,
  failEverySeries,
  fetchResults,
  joinResults,
  seriesOf,
} from './fetch/fan-out.js';
import type { SavedSeries } from './saved-series.js';
import { resolveUnits, type UnitClient } from './unit-choice.js';

const UNIT = v.union([ID, TEXT]);

// `insert_null` is omitted, because a frame has no rows for periods without data.
const { insert_null: _, ...FRAME_FLAGS } = POINT_FLAGS;

const LAYOUT = {
  /** If true, sorts the rows by the series ids, and puts the id columns first. */
  index_by_series: v.boolean(),
  /**
   * Adds columns with entity names, which make the frame about five times as large. By default, they are added only if
   * the names of a saved series differ from those requested (`matched`).
   */
  include_names: FIELDS.include_names,
  /**
   * Returns a wide frame, which has `end_date` as its first column, followed by one column per series. Cannot be
   * combined with a history, available dates or metadata.
   */
  compress_format: v.boolean(),
  /**
   * How the columns of a wide frame are named: `'full'` (default) uses all names of a series, and `'short'` only those
   * that distinguish the series (see `withShortNames`).
   */
  names: oneOf(['full', 'short']),
  /** If false, requests one series at a time. Default true. */
  async_mode: v.boolean(),
  /**
   * The unit to convert every point to: its id, abbreviation or name. If several units are given, each series is
   * converted to the unit of its dimension. If omitted or null, nothing is converted.
   */
  unit_id: v.nullable(v.union([UNIT, listOf(UNIT)])),
  /** If true, returns the frame even if some series failed. The report in the frame's provenance lists these series. */
  allow_partial: FIELDS.allow_partial,
};

export const FRAME_OPTIONS = { ...LONG_OPERATION, ...FRAME_FLAGS, ...LAYOUT };

/** Options that specify the points to retrieve and the layout of the frame. */
export interface GetDfOptions
  extends LongOperation,
    Omit<PointFlags, 'insert_null'>,
    OptionsOf<typeof LAYOUT> {}

export type FrameClient = NamingClient & UnitClient;

type NamingClient = FetchingClient & Pick<ServiceClient, 'api_host'>;

export async function getSavedFrame(
  client: FrameClient,
  saved: readonly SavedSeries[],
  options: GetDfOptions,
): Promise<LongFrame | WideFrame> {
  const { index_by_series, compress_format, names: naming, unit_id: unit, ...rest } = options;
  const { include_names = showsNames(saved), ...flagged } = rest;
  refuseInWideForm(options);
  const unit_id = await resolveUnits(client, unit, { series: saved, signal: options.signal });
  const fetching = { ...flagged, unit_id };
  const { signal, onProgress: _, ...flags } = fetching;
  const named = include_names === true || compress_format === true;
  const { results, report, retrieved_at } = await fetchResults(client, saved, fetching);
  const request = { series: saved, ...flags, index_by_series, include_names, compress_format, names: naming };
  const points = {
    series: results.map(seriesOf),
    runs: results.flatMap(({ answer }) => answer?.runs ?? []),
  };
  const { names, provenance } = await contextOrFailure(client, points, {
    request,
    report,
    retrieved_at,
    signal,
    named,
    partial: () => joinResults(results),
  });
  if (compress_format === true) {
    // Drops the references to the points, so that their memory is freed as the columns are built.
    points.runs.length = 0;
    const wide = wideFrame(drainSeries(results), { names, provenance });
    return naming === 'short' ? wide.withShortNames() : wide;
  }
  return longFrame(joinResults(results), {
    names: include_names === true ? names : undefined,
    index_by_series,
    show_available_date: options.show_available_date,
    show_metadata: options.show_metadata,
    provenance,
  });
}

export function showsNames(saved: readonly SavedSeries[]): boolean {
  return saved.some(({ matched }) => matched !== undefined);
}

/** @throws PartialDataError, with the points, if the names or the provenance cannot be looked up */
export async function contextOrFailure(
  client: NamingClient,
  points: NamedPoints,
  { partial, ...options }: ContextOptions & { readonly partial: () => PointSet },
): Promise<FrameContext> {
  try {
    return await lookUpContext(client, points, options);
  } catch (cause) {
    options.signal?.throwIfAborted();
    const report = failEverySeries(
      options.report,
      'its points arrived, but their names and sources cannot be looked up',
      cause,
    );
    throw new PartialDataError(report, partial, cause);
  }
}

/** Options that a wide frame does not support, because it has only one value per series and date. */
const LONG_ONLY = [
  'reporting_history',
  'complete_history',
  'show_revisions',
  'show_available_date',
  'show_metadata',
] as const;

function refuseInWideForm(options: GetDfOptions): void {
  if (options.names === 'short' && options.compress_format !== true) {
    throw badArgument('names', '"short" is only for the columns of a wide frame', {
      remedy: (nameOf) => `add ${nameOf('compress_format')}`,
    });
  }
  if (options.compress_format !== true) return;
  const refused = LONG_ONLY.find((flag) => options[flag] === true);
  if (refused === undefined) return;
  throw badArgument(
    'compress_format',
    (nameOf) =>
      `cannot be combined with ${nameOf(refused)}, because a wide frame has only one value per series and date`,
    { remedy: 'omit one of them' },
  );
}

export interface FrameContext {
  readonly names: EntityNames;
  readonly provenance: Provenance;
}

interface NamedPoints {
  readonly series: readonly PointSeries[];
  readonly runs: readonly Pick<PackedPoints, 'unit_id'>[];
}

interface ContextOptions {
  readonly request: unknown;
  readonly report: RetrievalReport;
  /** When the points were retrieved, in ISO 8601 UTC; defaults to the current time. */
  readonly retrieved_at?: string | undefined;
  /** Whether the frame includes names. If false, only sources and units are looked up. */
  readonly named?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export async function lookUpContext(
  client: NamingClient,
  { series, runs }: NamedPoints,
  { request, report, retrieved_at = new Date().toISOString(), named = true, signal }: ContextOptions,
): Promise<FrameContext> {
  const ids = (field: keyof SeriesKey) => series.map((one) => one[field]);
  const lookUp = <Type extends EntityType>(type: Type, wanted: readonly number[]) =>
    readableEntities(client.lookupList(type, wanted, { signal }));
  const name = <Type extends EntityType>(type: Type, wanted: readonly number[]) =>
    lookUp(type, named ? wanted : []);
  const partners = ids('partner_region_id').filter((id) => id !== WORLD_REGION_ID);
  const unit_ids = new Set([...series.flatMap(({ unit_id }) => unit_id ?? []), ...unitsOf(runs)]);
  const [metrics, items, regions, frequencies, sources, units] = await Promise.all([
    name('metrics', ids('metric_id')),
    name('items', ids('item_id')),
    name('regions', [...ids('region_id'), ...partners]),
    name('frequencies', ids('frequency_id')),
    lookUp('sources', ids('source_id')),
    lookUp('units', [...unit_ids]),
  ]);
  const [ofSources, ofUnits] = [[...sources.values()] as Source[], [...units.values()] as Unit[]];
  return {
    names: {
      metrics: namesOf(metrics),
      items: namesOf(items),
      regions: new Map([[WORLD_REGION_ID, WORLD_NAME], ...namesOf(regions)]),
      frequencies: namesOf(frequencies),
      sources: namesOf(sources),
      ...unitNames(ofUnits),
    },
    provenance: {
      ...{ request, retrieved_at, report, api_host: client.api_host },
      sources: ofSources,
      units: ofUnits,
    },
  };
}

/** Returns the names and abbreviations of units. A missing name is replaced by the abbreviation or else the id. */
export function unitNames(units: readonly Unit[]): Pick<EntityNames, 'units' | 'unit_abbreviations'> {
  return {
    units: new Map(units.map(({ id, name, abbreviation }) => [id, name || abbreviation || String(id)])),
    unit_abbreviations: new Map(
      units.flatMap(({ id, abbreviation }) => (abbreviation ? [[id, abbreviation]] : [])),
    ),
  };
}

/** Returns the entities, or an empty map if the response violates the contract, so that the frame shows ids. */
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
