import * as v from 'valibot';
import { type PackedPoints, type PointRow, packRows } from '../../columns/packed-points.js';
import { NO_UNIT_ID } from '../../columns/point-columns.js';
import type { EndpointName } from '../../contract/endpoints.js';
import { carriedPoints } from '../../contract/points/carried-points.js';
import { type DecodedPoints, decodeRuns } from '../../contract/points/read-runs.js';
import type { BlockSeries } from '../../contract/series-blocks.js';
import { seriesBlock } from '../../contract/shapes.js';
import { RUNS } from '../../contract/wire-names.js';
import { badAnswer, ContractError, HttpError } from '../../model/errors.js';
import { INTEGER } from '../../model/schema/schemas.js';
import { parseTime } from '../../model/time.js';
import { isUnserved, readAnswer, readJsonBody } from '../http/answer.js';
import type { SeriesRequest } from './batch-plan.js';

/** Opens a response with the points of one series, in the binary format or in basic JSON. @throws ContractError */
export async function openPointAnswer(response: Response, request: SeriesRequest): Promise<DecodedPoints> {
  const runs = await openRuns('points', response);
  if (runs !== null) return runs;
  const blocks = readAnswer('points', v.array(block), await readJsonBody('points', response));
  return decodeSeriesBlocks(blocks, request);
}

/** A series with its points in basic JSON. If the source id is missing, the source is the requested one. */
const block = v.object({
  ...seriesBlock.entries,
  series: v.object({ ...seriesBlock.entries.series.entries, sourceId: v.nullish(INTEGER) }),
});
type Block = v.InferOutput<typeof block>;

function decodeSeriesBlocks(
  blocks: readonly Block[],
  { source_id, include_historical }: SeriesRequest,
): DecodedPoints {
  const runs: PackedPoints[] = [];
  const series: BlockSeries[] = [];
  for (const { series: head, data } of blocks) {
    const one = {
      metric_id: head.metricId,
      item_id: head.itemId,
      region_id: head.regionId,
      partner_region_id: head.partnerRegionId,
      frequency_id: head.frequencyId,
      source_id: head.sourceId ?? source_id,
      unit_id: head.unitId ?? null,
      includes_historical_region: head.metadata?.includesHistoricalRegion || undefined,
      includes_historical_partner_region: head.metadata?.includesHistoricalPartnerRegion || undefined,
    };
    // A service with only the basic JSON API may return historical regions that were not requested.
    const isHistorical = one.includes_historical_region || one.includes_historical_partner_region;
    if (isHistorical && include_historical === false) continue;
    const points = data.map((point) => readPoint(point, head.unitId));
    if (points.includes(null)) throw badAnswer('points', `a point of series ${series.length} has no unit`);
    one.unit_id ??= points.find((point) => point?.unitId !== NO_UNIT_ID)?.unitId ?? null;
    if (points.length > 0) runs.push(packRows(series.length, points as PointRow[]));
    series.push(one);
  }
  return { series, batches: [runs] };
}

/** Parses a point. If the point states no unit, the series' unit applies. Returns null if neither states a unit. */
function readPoint(
  [start, end, value, reporting, unit, metadata, available]: Block['data'][number],
  seriesUnit: number | null | undefined,
): PointRow | null {
  const unitId = unit === undefined ? seriesUnit : unit;
  if (unitId === undefined) return null;
  return {
    startMs: parseTime(start, 'start date'),
    endMs: parseTime(end, 'end date'),
    value,
    unitId: unitId ?? NO_UNIT_ID,
    reportingMs: reporting == null ? null : parseTime(reporting, 'reporting date'),
    availableMs: available == null ? undefined : parseTime(available, 'available date'),
    metadata: metadata == null ? undefined : JSON.stringify(metadata),
  };
}

/** Opens a response in the binary format. Returns null if the response has a different type. */
export async function openRuns(name: EndpointName, response: Response): Promise<DecodedPoints | null> {
  const carried = carriedPoints(response);
  if (carried !== undefined) return { series: carried.series, batches: carried.take() };
  const type = response.headers.get('content-type') ?? '';
  return type.includes(RUNS) ? decodeRuns(bodyOf(name, response), name) : null;
}

function bodyOf(name: EndpointName, { body }: Response): AsyncIterable<Uint8Array> {
  if (body === null) throw badAnswer(name, 'the response is empty', { damaged: true });
  return body as unknown as AsyncIterable<Uint8Array>;
}

const JSON_ONLY = 'application/json';
const EVERY_FORM = `${RUNS}, ${JSON_ONLY};q=0.5`;

/** Remembers which formats a service supports besides basic JSON. */
export class FormatNegotiation {
  #accept = EVERY_FORM;
  #batched = true;

  /** Whether to request many series at once. False once the service has rejected a batch. */
  get batches(): boolean {
    return this.#batched;
  }

  /** Sends a request with the `Accept` header for points. If the service responds with 406, requests JSON instead. */
  async ask<Result>(request: (accept: string) => Promise<Result>): Promise<Result> {
    const accept = this.#accept;
    try {
      return await request(accept);
    } catch (error) {
      const isRefused = error instanceof HttpError && error.status === 406 && accept !== JSON_ONLY;
      if (!isRefused) throw error;
      this.#accept = JSON_ONLY;
      return request(JSON_ONLY);
    }
  }

  /** Stops using batches if the error shows that the service does not support them or uses a different format. */
  failedBatch(error: unknown): void {
    if (isUnserved(error) || (error instanceof ContractError && !error.damaged)) this.#batched = false;
  }
}
