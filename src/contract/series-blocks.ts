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

/** Header of a JSON answer of points: `blocks` when every series block carries its checksum. */
export const BLOCK_CHECKSUMS = 'cropframe-checksums';

/** What a block says of a series beside its key. */
export interface BlockSeries extends PointSeries {
  /** Position, in the request, of the selection that it answers. */
  selection?: number | undefined;
  includes_historical_region?: boolean | undefined;
  includes_historical_partner_region?: boolean | undefined;
  /** The series that the points belong to, where the service says that it is another one. */
  belongs_to?: DataPoint['belongs_to'] | undefined;
}

type PositionalPoint = [string, string, number | null, string | null, number, unknown, string | null];

/** The head of a series block: ids in camelCase, as the JSON form of points has them. */
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
    unitId: series.unit_id,
    belongsTo: ids,
    metadata: {
      includesHistoricalRegion: series.includes_historical_region ?? false,
      includesHistoricalPartnerRegion: series.includes_historical_partner_region ?? false,
    },
  };
}

/** Row `i` of a batch as the wire's positional array. */
export function positionalPoint(columns: PointColumns, i: number): PositionalPoint {
  const metadata = columns.metadata?.[i] ?? null;
  return [
    formatTime(Number(columns.start_date[i])),
    formatTime(Number(columns.end_date[i])),
    isValid(columns.valueValid, i) ? columns.value[i]! : null,
    isValid(columns.reportingValid, i) ? formatTime(Number(columns.reporting_date[i])) : null,
    columns.unit_id[i]!,
    metadata === null ? null : JSON.parse(metadata),
    availableText(columns.available_date?.[i]),
  ];
}

/** ISO 8601, or null where the date was not asked for or the point fills a gap. */
export function availableText(available: bigint | undefined): string | null {
  return available === undefined || available === NO_AVAILABLE_DATE ? null : formatTime(Number(available));
}

/** Points read from series blocks: `PointSet` with what the blocks say of their series. */
export interface DecodedBlocks {
  readonly series: readonly BlockSeries[];
  readonly batches: readonly PointColumns[];
}

/**
 * Reads series blocks into columns. A point that lacks its unit has its series' unit; where that is lacking too it has
 * none (0).
 * @throws ContractError when a position holds something else than the contract says
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

/** @throws ContractError when a block carries a checksum and does not fit it */
function checkBlock({ series, data, checksum }: SeriesBlock, position: number, endpoint: string): void {
  if (checksum === undefined) return;
  const computed = new BlockChecksum(series);
  for (const point of data) computed.addPoint(JSON.stringify(point));
  if (computed.value() !== checksum)
    throw new ContractError(
      endpoint,
      `${endpoint}: the points of series ${position} do not fit their checksum`,
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
    ...(includesHistoricalRegion === true ? { includes_historical_region: true } : {}),
    ...(includesHistoricalPartnerRegion === true ? { includes_historical_partner_region: true } : {}),
    ...belongingTo(key, series.belongsTo),
  };
}

/** Nothing where the points belong to the series itself, as they mostly do. */
function belongingTo(
  key: SeriesKey,
  given: SeriesBlock['series']['belongsTo'],
): Pick<BlockSeries, 'belongs_to'> | undefined {
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
  return fields.every((field) => belongs_to[field] === key[field]) ? undefined : { belongs_to };
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
  const unit_id = unit ?? row.unitId ?? NO_UNIT_ID;
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
