import { ContractError } from '../model/errors.js';
import { isValid, type PointColumns, type PointSeries, type PointSet } from '../model/point.js';
import { PointColumnsBuilder } from '../model/point-builder.js';
import type { SeriesKey } from '../model/series.js';
import { formatTime, parseTime } from '../model/time.js';
import type { SeriesBlock } from './shapes.js';

/** What a block says of a series beside its key. */
export interface BlockSeries extends PointSeries {
  includes_historical_region?: boolean;
  includes_historical_partner_region?: boolean;
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
    columns.available_date === undefined ? null : formatTime(Number(columns.available_date[i])),
  ];
}

/**
 * Reads series blocks into columns. A point that lacks its unit has its series' unit; blocks of one series are joined.
 * @throws ContractError when a position holds something else than the contract says
 */
export function decodeSeriesBlocks(blocks: readonly SeriesBlock[], endpoint: string): PointSet {
  const builder = new PointColumnsBuilder();
  const series = blocks.map((block) => blockSeries(block));
  blocks.forEach((block, position) => {
    for (const point of block.data)
      appendPoint(builder, { position, point, unitId: series[position]!.unit_id, endpoint });
  });
  return { series, batches: builder.length === 0 ? [] : [builder.build()] };
}

function blockSeries({ series, data }: SeriesBlock): PointSeries {
  const key: SeriesKey = {
    metric_id: series.metricId,
    item_id: series.itemId,
    region_id: series.regionId,
    partner_region_id: series.partnerRegionId,
    frequency_id: series.frequencyId,
    source_id: series.sourceId,
  };
  const pointUnit = data.map((point) => point[4]).find((unit) => typeof unit === 'number');
  return { ...key, unit_id: series.unitId ?? (pointUnit as number | undefined) ?? null };
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
  const unit_id = unit ?? row.unitId;
  if (typeof unit_id !== 'number') refuse('no unit, nor has its series');
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
    unit_id: unit_id as number,
    reportingMs: reporting === null ? null : time(reporting as string, 'reporting date'),
    availableMs: available === null ? null : time(available as string, 'available date'),
    metadata: metadata === null ? null : JSON.stringify(metadata),
  });
}
