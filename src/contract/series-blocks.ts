import { isValid } from '../columns/bitmap.js';
import { PointColumnsBuilder } from '../columns/point-builder.js';
import {
  NO_AVAILABLE_DATE,
  NO_UNIT_ID,
  type PointColumns,
  type PointSeries,
} from '../columns/point-columns.js';
import { ContractError } from '../model/errors.js';
import type { DataPoint } from '../model/point.js';
import type { SeriesKey } from '../model/series.js';
import { formatTime, parseTime } from '../model/time.js';
import type { SeriesBlock } from './shapes.js';
import { BlockChecksum } from './stream/checksum.js';

/** A series as the head of a block describes it. */
export interface BlockSeries extends PointSeries {
  /** Position in the request of the selection that this series answers. */
  selection?: number | undefined;
  includes_historical_region?: boolean | undefined;
  includes_historical_partner_region?: boolean | undefined;
  /** The series that the points belong to, when it is another one. */
  belongs_to?: DataPoint['belongs_to'] | undefined;
}

type PositionalPoint = [string, string, number | null, string | null, number | null, unknown, string | null];

/** The head of a series block, with ids in camelCase as in the JSON form of points. */
export function blockHead(series: BlockSeries): SeriesBlock['series'] {
  const ids = {
    metricId: series.metric_id,
    itemId: series.item_id,
    regionId: series.region_id,
    partnerRegionId: series.partner_region_id,
    frequencyId: series.frequency_id,
    sourceId: series.source_id,
  };
  return {
    ...ids,
    unitId: unitOrNull(series.unit_id),
    belongsTo: ids,
    metadata: {
      includesHistoricalRegion: series.includes_historical_region ?? false,
      includesHistoricalPartnerRegion: series.includes_historical_partner_region ?? false,
    },
  };
}

/** Row `i` of a batch as a positional array of the wire. */
export function positionalPoint(columns: PointColumns, i: number): PositionalPoint {
  const metadata = columns.metadata?.[i] ?? null;
  return [
    formatTime(Number(columns.start_date[i])),
    formatTime(Number(columns.end_date[i])),
    isValid(columns.valueValid, i) ? columns.value[i]! : null,
    isValid(columns.reportingValid, i) ? formatTime(Number(columns.reporting_date[i])) : null,
    unitOrNull(columns.unit_id[i]!),
    metadata === null ? null : JSON.parse(metadata),
    availableText(columns.available_date?.[i]),
  ];
}

/** A unit as the wire and objects show it: null for none. */
export function unitOrNull(unit_id: number | null): number | null {
  return unit_id === NO_UNIT_ID ? null : unit_id;
}

/** ISO 8601; null when the date was not requested or the point fills a gap. */
export function availableText(available: bigint | undefined): string | null {
  return available === undefined || available === NO_AVAILABLE_DATE ? null : formatTime(Number(available));
}

/** Points decoded from series blocks: a `PointSet` with the heads of the blocks. */
interface DecodedBlocks {
  readonly series: readonly BlockSeries[];
  readonly batches: readonly PointColumns[];
}

/**
 * Decodes series blocks into columns. A point that leaves its unit out has the unit of its series; an explicit null
 * is no unit, `NO_UNIT_ID`.
 * @throws ContractError when a field of a point has the wrong type, or a block does not match its checksum
 */
export function decodeSeriesBlocks(blocks: readonly SeriesBlock[], endpoint: string): DecodedBlocks {
  blocks.forEach((block, position) => {
    checkBlock(block, position, endpoint);
  });
  const builder = new PointColumnsBuilder();
  const series = blocks.map((block) => blockSeries(block));
  blocks.forEach((block, position) => {
    for (const point of block.data)
      appendPoint(builder, { position, point, unitId: series[position]!.unit_id, endpoint });
  });
  return { series, batches: builder.length === 0 ? [] : [builder.build()] };
}

/** @throws ContractError when a block has a checksum and does not match it */
function checkBlock({ series, data, checksum }: SeriesBlock, position: number, endpoint: string): void {
  if (checksum === undefined) return;
  const computed = new BlockChecksum(series);
  for (const point of data) computed.addPoint(JSON.stringify(point));
  if (computed.value() !== checksum)
    throw new ContractError(
      endpoint,
      `${endpoint}: the points of series ${position} do not match their checksum`,
    );
}

function blockSeries({ series, data }: SeriesBlock): BlockSeries {
  const key: SeriesKey = {
    metric_id: series.metricId,
    item_id: series.itemId,
    region_id: series.regionId,
    partner_region_id: series.partnerRegionId,
    frequency_id: series.frequencyId,
    source_id: series.sourceId,
  };
  const pointUnit = data.map((point) => point[4]).find((unit) => typeof unit === 'number');
  const { includesHistoricalRegion, includesHistoricalPartnerRegion } = series.metadata ?? {};
  return {
    ...key,
    unit_id: series.unitId ?? (pointUnit as number | undefined) ?? null,
    includes_historical_region: includesHistoricalRegion || undefined,
    includes_historical_partner_region: includesHistoricalPartnerRegion || undefined,
    belongs_to: otherOwner(key, series.belongsTo),
  };
}

/** The series that the points belong to; undefined when it is the series itself, as it usually is. */
function otherOwner(key: SeriesKey, given: SeriesBlock['series']['belongsTo']): BlockSeries['belongs_to'] {
  const id = (name: string, own: number): number => {
    const other = given?.[name];
    return typeof other === 'number' ? other : own;
  };
  const belongs_to = {
    metric_id: id('metricId', key.metric_id),
    item_id: id('itemId', key.item_id),
    region_id: id('regionId', key.region_id),
    frequency_id: id('frequencyId', key.frequency_id),
    source_id: id('sourceId', key.source_id),
  };
  const fields = Object.keys(belongs_to) as (keyof typeof belongs_to)[];
  return fields.every((field) => belongs_to[field] === key[field]) ? undefined : belongs_to;
}

function appendPoint(
  builder: PointColumnsBuilder,
  row: { position: number; point: SeriesBlock['data'][number]; unitId: number | null; endpoint: string },
): void {
  const [start, end, value = null, reporting = null, unit = row.unitId, metadata = null, available = null] =
    row.point;
  const refuse = (what: string): never => {
    throw new ContractError(row.endpoint, `${row.endpoint}: a point of series ${row.position} has ${what}`);
  };
  if (value !== null && typeof value !== 'number') refuse(`the value ${JSON.stringify(value)}`);
  if (reporting !== null && typeof reporting !== 'string')
    refuse(`the reporting date ${JSON.stringify(reporting)}`);
  if (available !== null && typeof available !== 'string')
    refuse(`the available date ${JSON.stringify(available)}`);
  const unit_id = unit ?? NO_UNIT_ID;
  if (typeof unit_id !== 'number') refuse(`the unit ${JSON.stringify(unit_id)}`);
  const time = (text: string, name: string): number => {
    try {
      return parseTime(text, name);
    } catch (error) {
      throw new ContractError(row.endpoint, `${row.endpoint}: ${(error as Error).message}`, { cause: error });
    }
  };
  builder.add({
    series: row.position,
    startMs: time(start, 'start date'),
    endMs: time(end, 'end date'),
    value: value as number | null,
    unitId: unit_id as number,
    reportingMs: reporting === null ? null : time(reporting as string, 'reporting date'),
    availableMs: available === null ? null : time(available as string, 'available date'),
    metadata: metadata === null ? null : JSON.stringify(metadata),
  });
}
