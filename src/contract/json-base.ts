import * as v from 'valibot';
import { type PackedPoints, type PointRow, packRows } from '../columns/packed-points.js';
import { NO_UNIT_ID } from '../columns/point-columns.js';
import type { EntityType } from '../model/entity.js';
import { badAnswer, type ContractError } from '../model/errors.js';
import { INTEGER } from '../model/schema/schemas.js';
import type { SelectionLists } from '../model/selection.js';
import { type SeriesKey, seriesKeyText } from '../model/series.js';
import { parseTime } from '../model/time.js';
import type { BlockSeries } from './series-blocks.js';
import * as shapes from './shapes.js';

// Lists what a client requires of the JSON base beyond the response shapes: the fields of entities, and the points. See
// `docs/wire.md`.

const containing = {
  id: INTEGER,
  name: v.string(),
  definition: v.string(),
  contains: v.array(INTEGER),
  belongsTo: v.array(INTEGER),
};
const numberOrNull = v.nullable(v.number());
/** An optional string: the specification does not guarantee it. */
const addedText = v.optional(v.string(), '');
const optionalNumber = v.optional(v.number());

/** The entities of each type. */
export const entitySchemas = {
  metrics: v.object(containing),
  items: v.object(containing),
  regions: v.object({
    ...containing,
    definition: addedText,
    level: v.nullable(INTEGER),
    latitude: numberOrNull,
    longitude: numberOrNull,
    historical: v.boolean(),
  }),
  frequencies: v.object({
    id: INTEGER,
    name: v.string(),
    abbrev: v.string(),
    periodLength: v.object({ days: optionalNumber, months: optionalNumber, years: optionalNumber }),
  }),
  sources: v.object({
    id: INTEGER,
    name: v.string(),
    longName: addedText,
    licence: addedText,
    citation: addedText,
    url: addedText,
  }),
  units: v.pipe(
    v.object({
      id: INTEGER,
      name: v.optional(v.string()),
      namePlural: addedText,
      abbreviation: v.string(),
      baseConvFactor: v.object({ factor: optionalNumber, offset: optionalNumber }),
      dimension: v.optional(v.string()),
    }),
    v.transform(({ name, ...unit }) => ({ ...unit, name: name ?? unit.abbreviation })),
  ),
} satisfies Record<EntityType, v.GenericSchema>;

/** The blocks of a response. `decodeSeriesBlocks` reads their points. */
export const seriesBlocks = v.array(
  v.object({
    series: v.object({ ...shapes.seriesBlock.entries.series.entries, sourceId: v.nullish(INTEGER) }),
    data: v.custom<readonly unknown[]>(Array.isArray, 'is not a list of points'),
  }),
);
type Block = v.InferOutput<typeof seriesBlocks>[number];

/** Points decoded from series blocks: a `PointSet` with the block headers. */
interface DecodedBlocks {
  readonly series: readonly BlockSeries[];
  readonly runs: readonly PackedPoints[];
}

/** A request for points and its operation. */
interface Requested {
  readonly endpoint: string;
  readonly lists: SelectionLists;
  /** If false, drops the series of historical regions, because the JSON base leaves this to clients. */
  readonly includeHistorical: boolean;
}

/**
 * Decodes series blocks into runs. A point without a fifth element has the unit of its series. A null fifth element means
 * no unit (`NO_UNIT_ID`).
 * @throws ContractError that names the series and the field
 */
export function decodeSeriesBlocks(blocks: readonly Block[], requested: Requested): DecodedBlocks {
  const runs: PackedPoints[] = [];
  const series = new Map<string, BlockSeries>();
  for (const { series: head, data } of blocks) {
    const one = blockSeries(head, requested);
    const isHistorical = one.includes_historical_region || one.includes_historical_partner_region;
    if (isHistorical && !requested.includeHistorical) continue;
    const key = seriesKeyText(one);
    if (series.has(key)) throw badAnswer(requested.endpoint, `the answer has the series ${key} twice`);
    const position = series.size;
    series.set(key, one);
    const row = { position, unitId: head.unitId, endpoint: requested.endpoint };
    if (data.length === 0) continue;
    const points = data.map((point) => readPoint(row, point));
    runs.push(packRows(position, points));
    one.unit_id ??= points.find(({ unitId }) => unitId !== NO_UNIT_ID)?.unitId ?? null;
  }
  return { series: [...series.values()], runs };
}

function blockSeries(head: Block['series'], { endpoint, lists }: Requested): BlockSeries {
  const [requestedSource, ...otherSources] = lists.source_id ?? [];
  const source_id = head.sourceId ?? (otherSources.length === 0 ? requestedSource : undefined);
  if (source_id === undefined)
    throw badAnswer(endpoint, 'a series lacks its sourceId, and several sources were requested');
  const key: SeriesKey = {
    metric_id: head.metricId,
    item_id: head.itemId,
    region_id: head.regionId,
    partner_region_id: head.partnerRegionId,
    frequency_id: head.frequencyId,
    source_id,
  };
  return {
    ...key,
    unit_id: head.unitId ?? null,
    includes_historical_region: head.metadata?.includesHistoricalRegion || undefined,
    includes_historical_partner_region: head.metadata?.includesHistoricalPartnerRegion || undefined,
  };
}

interface RowOf {
  readonly position: number;
  /** The unit of points that do not give their own; null for no unit. */
  readonly unitId: number | null | undefined;
  readonly endpoint: string;
}

/** Reads the elements of a point. @throws ContractError that names the position */
function readPoint(row: RowOf, point: unknown): PointRow {
  if (!Array.isArray(point)) throw unreadable(row, 'it is not a list');
  const [start, end, value, reporting = null, unit = row.unitId, metadata = null, available = null] =
    point as readonly unknown[];
  if (value !== null && typeof value !== 'number')
    throw unreadable(row, `its value ${JSON.stringify(value)} is neither a number nor null`);
  if (unit !== null && !Number.isInteger(unit))
    throw unreadable(
      row,
      unit === undefined ? 'it has no unit' : `its unit ${JSON.stringify(unit)} is no id`,
    );
  if (typeof metadata !== 'object') throw unreadable(row, 'its metadata are no object');
  return {
    startMs: readTime(start, 'start date', row),
    endMs: readTime(end, 'end date', row),
    value,
    unitId: (unit as number | null) ?? NO_UNIT_ID,
    reportingMs: reporting === null ? null : readTime(reporting, 'reporting date', row),
    availableMs: available === null ? undefined : readTime(available, 'available date', row),
    metadata: metadata === null ? undefined : JSON.stringify(metadata),
  };
}

function readTime(text: unknown, name: string, row: RowOf): number {
  try {
    return parseTime(text as string, name);
  } catch (error) {
    throw unreadable(row, (error as Error).message, error);
  }
}

function unreadable({ endpoint, position }: RowOf, what: string, cause?: unknown): ContractError {
  return badAnswer(endpoint, `a point of series ${position} cannot be read: ${what}`, { cause });
}
