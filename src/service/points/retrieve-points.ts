import { type PackedPoints, unpackLists } from '../../columns/packed-points.js';
import type { PointColumns } from '../../columns/point-columns.js';
import type { PointsQuery } from '../../contract/queries.js';
import { encodePointStream } from '../../contract/stream/point-encoder.js';
import { ARROW_STREAM, ARROW_STREAM_CRC32, BLOCK_CHECKSUMS } from '../../contract/wire-names.js';
import type { ServiceContext } from '../context.js';
import type { Handlers } from '../handler.js';
import { byteStream, startEarly } from '../http/stream.js';
import { checkGaps } from './fill-gaps.js';
import { encodeJsonBlocks } from './json-blocks.js';
import { type PointRequest, planPoints } from './plan-points.js';
import { preparePoints } from './prepare-points.js';
import { repeatSeries } from './repeat-series.js';

export const retrievePoints: Handlers['points'] = async ({ query, request, signal }, service) =>
  answerPoints([query], service, { request, signal });

export const retrievePointBatch: Handlers['pointsBatch'] = async ({ body, request, signal }, service) =>
  answerPoints(body, service, { request, signal });

async function answerPoints(
  queries: readonly PointsQuery[],
  service: ServiceContext,
  { request, signal }: { request: Request; signal: AbortSignal },
): Promise<Response> {
  const requests = await planPoints(queries, service, signal);
  for (const request of requests) await checkGaps(request, service);
  const batches = await startEarly(unpackLists(readLists(requests, service, signal)));
  const type = wantedArrow(request);
  return type === null ? jsonResponse(requests, batches) : arrowResponse(type, requests, batches);
}

/** The media type of the Arrow stream that a request accepts; null when it accepts none. */
function wantedArrow(request: Request): string | null {
  const accept = (request.headers.get('accept') ?? '').replaceAll(' ', '');
  const known = [ARROW_STREAM_CRC32, ARROW_STREAM];
  return known.find((type) => accept.includes(type)) ?? null;
}

function arrowResponse(
  type: string,
  requests: readonly PointRequest[],
  batches: AsyncIterable<PointColumns>,
): Response {
  const head = {
    series: requests.flatMap((request) => request.series),
    withAvailableDate: requests.some((request) => request.plan.withAvailableDate),
    withMetadata: requests.some((request) => request.plan.withMetadata),
    withCrc32: type === ARROW_STREAM_CRC32,
  };
  return new Response(byteStream(encodePointStream(head, batches)), {
    headers: { 'content-type': type },
  });
}

function jsonResponse(requests: readonly PointRequest[], batches: AsyncIterable<PointColumns>): Response {
  const series = requests.flatMap(({ series: described }) =>
    described.map((one) => (one.unit_id === null ? null : one)),
  );
  return new Response(byteStream(encodeJsonBlocks(series, batches)), {
    headers: { 'content-type': 'application/json', [BLOCK_CHECKSUMS]: 'blocks' },
  });
}

/** Reads the points of all requests in lists, with series numbered across requests. */
async function* readLists(
  requests: readonly PointRequest[],
  service: ServiceContext,
  signal: AbortSignal,
): AsyncGenerator<readonly PackedPoints[]> {
  let offset = 0;
  for (const request of requests) {
    const prepared = preparePoints(request, service, signal);
    for await (const list of repeatSeries(prepared, request)) yield shiftSeries(list, offset);
    offset += request.series.length;
  }
}

function shiftSeries(list: readonly PackedPoints[], offset: number): readonly PackedPoints[] {
  return offset === 0 ? list : list.map((part) => ({ ...part, series: part.series + offset }));
}
