import { type PackedPoints, type PointRow, packRows } from '../columns/packed-points.js';
import { NO_UNIT_ID } from '../columns/point-columns.js';
import { WORLD_REGION_ID } from '../model/entity.js';
import { badAnswer, type ContractError } from '../model/errors.js';
import type { SelectionLists } from '../model/selection.js';
import { SERIES_KEY_FIELDS, type SeriesKey, seriesKeyText } from '../model/series.js';
import { parseTime } from '../model/time.js';
import type { BlockShape } from './reading.js';
import type { BlockSeries } from './series-blocks.js';
import { QUERY_KEYS } from './wire-names.js';

/** Points decoded from series blocks: a `PointSet` with the heads of the blocks. */
interface DecodedBlocks {
  readonly series: readonly BlockSeries[];
  readonly runs: readonly PackedPoints[];
}

/** The request, and its operation. */
interface Requested {
  readonly endpoint: string;
  /** An id that a block leaves out is the requested one. */
  readonly lists?: SelectionLists | undefined;
}

/**
 * Decodes series blocks into runs. A point that leaves its unit out has the unit of its series; an explicit null is no
 * unit, `NO_UNIT_ID`. So is a unit that is not said at all, and that is counted in the series; a value that is not a number
 * is null, and counted likewise.
 * @throws ContractError that names the field when an id or a date is missing or cannot be read
 */
export function decodeSeriesBlocks(blocks: readonly BlockShape[], requested: Requested): DecodedBlocks {
  const runs: PackedPoints[] = [];
  const series: BlockSeries[] = [];
  const known = new Map<string, BlockShape>();
  blocks.forEach((block, at) => {
    const data = block.data ?? [];
    const one = blockSeries(block, at, requested);
    if (one === null) return;
    checkDistinct(known, block, { at, key: seriesKeyText(one), endpoint: requested.endpoint });
    const position = series.push(one) - 1;
    const counts = { unreadable: 0, unstated: 0 };
    const row = { position, unitId: block.series?.unitId, endpoint: requested.endpoint, counts };
    if (data.length > 0)
      runs.push(
        packRows(
          position,
          data.map((point) => readPoint(row, point)),
        ),
      );
    if (counts.unreadable > 0) one.unreadable_values = counts.unreadable;
    if (counts.unstated > 0) one.unstated_units = counts.unstated;
    one.unit_id ??= unitOfPoints(data);
  });
  return { series, runs };
}

/**
 * Checks that a block is of another series than those before it, unless all say their ids: ids from the request, or
 * from the parent of a block, may mean several parts.
 * @throws ContractError that names the id that is left out
 */
function checkDistinct(
  known: Map<string, BlockShape>,
  block: BlockShape,
  { at, key, endpoint }: { at: number; key: string; endpoint: string },
): void {
  const other = known.get(key);
  known.set(key, block);
  if (other === undefined) return;
  const field = PARTED.find((name) => [block, other].some(({ series }) => !Number.isInteger(series?.[name])));
  if (field === undefined) return;
  const problem = `the answer does not fit the contract at ${at}.series.${field}: it is missing, and another series cannot be told apart`;
  throw badAnswer(endpoint, problem, { field });
}

/** The ids of selections that a service may answer in parts. */
const PARTED = ['metricId', 'itemId', 'regionId'] as const;

/** Null for an empty block that could be of any of the requested series. */
function blockSeries({ series, data }: BlockShape, at: number, requested: Requested): BlockSeries | null {
  const head = series ?? {};
  const isEmpty = (data ?? []).length === 0;
  const key: Partial<SeriesKey> = {};
  for (const field of SERIES_KEY_FIELDS) {
    const id = idOf(head, field, requested);
    if (Number.isInteger(id)) key[field] = id as number;
    else if (isEmpty && id === undefined) return null;
    else
      throw badAnswer(
        requested.endpoint,
        `the answer does not fit the contract at ${at}.series.${QUERY_KEYS[field]}: ${id === undefined ? 'it is missing' : 'it is not an id'}`,
      );
  }
  const { includesHistoricalRegion, includesHistoricalPartnerRegion } = series?.metadata ?? {};
  const isHistorical = includesHistoricalRegion === true || includesHistoricalPartnerRegion === true;
  const hasPartner = key.partner_region_id !== WORLD_REGION_ID;
  const isUnsaid =
    includesHistoricalRegion === undefined || (hasPartner && includesHistoricalPartnerRegion === undefined);
  return {
    ...(key as SeriesKey),
    unit_id: series?.unitId ?? null,
    includes_historical_region: includesHistoricalRegion || undefined,
    includes_historical_partner_region: includesHistoricalPartnerRegion || undefined,
    unsaid_historical: (isUnsaid && !isHistorical) || undefined,
    belongs_to: otherOwner(key as SeriesKey, series?.belongsTo),
  };
}

/** An id of a block, or of the series that it belongs to, or the only requested one; undefined when there is none. */
function idOf(
  head: NonNullable<BlockShape['series']> | Record<string, never>,
  field: keyof SeriesKey,
  { lists }: Requested,
): unknown {
  const name = QUERY_KEYS[field];
  const id = head[name] ?? head.belongsTo?.[name];
  if (id !== undefined && id !== null) return id;
  const requested = lists?.[field];
  if (requested?.length === 1) return requested[0];
  return field === 'partner_region_id' ? 0 : undefined;
}

/** The series that the points belong to; undefined when it is the series itself, as it usually is. */
function otherOwner(
  key: SeriesKey,
  given: Record<string, unknown> | null | undefined,
): BlockSeries['belongs_to'] {
  const { partner_region_id: _, ...own } = key;
  const fields = Object.keys(own) as (keyof typeof own)[];
  const owner = { ...own };
  for (const field of fields) {
    const id = given?.[QUERY_KEYS[field]];
    if (typeof id === 'number') owner[field] = id;
  }
  return fields.every((field) => owner[field] === own[field]) ? undefined : owner;
}

function unitOfPoints(data: readonly unknown[]): number | null {
  for (const point of data) {
    const unit = (point as readonly unknown[])[4];
    if (typeof unit === 'number') return unit;
  }
  return null;
}

interface RowOf {
  readonly position: number;
  /** The unit of points that leave it out: null for none, undefined where the service does not say. */
  readonly unitId: number | null | undefined;
  readonly endpoint: string;
  readonly counts: { unreadable: number; unstated: number };
}

/** Appends a point; a value that is neither a number nor null is kept out of the numbers. @throws ContractError */
function readPoint(row: RowOf, given: unknown): PointRow {
  if (!Array.isArray(given)) throw unreadable(row, 'it is not a list');
  const [start, end, value = null, reporting, unit = row.unitId, metadata, available] =
    given as readonly unknown[];
  const isNumber = typeof value === 'number';
  if (!isNumber && value !== null) row.counts.unreadable++;
  if (isNumber && !Number.isInteger(unit) && unit !== null) row.counts.unstated++;
  return {
    startMs: requiredTime(start, 'start date', row),
    endMs: requiredTime(end, 'end date', row),
    value: isNumber ? value : null,
    unitId: Number.isInteger(unit) ? (unit as number) : NO_UNIT_ID,
    reportingMs: optionalTime(reporting),
    availableMs: optionalTime(available) ?? undefined,
    metadata: typeof metadata === 'object' && metadata !== null ? JSON.stringify(metadata) : undefined,
  };
}

function requiredTime(text: unknown, name: string, row: RowOf): number {
  try {
    return parseTime(text as string, name);
  } catch (error) {
    throw unreadable(row, (error as Error).message, error);
  }
}

function optionalTime(text: unknown): number | null {
  if (typeof text !== 'string') return null;
  try {
    return parseTime(text, 'date');
  } catch {
    return null;
  }
}

function unreadable({ endpoint, position }: RowOf, what: string, cause?: unknown): ContractError {
  return badAnswer(endpoint, `a point of series ${position} cannot be read: ${what}`, { cause });
}
