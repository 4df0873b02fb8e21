import type { PointColumns } from '../../columns/point-columns.js';
import { ARROW_STREAM, BLOCK_CHECKSUMS, type PointsQuery } from '../../contract/endpoints.js';
import { encodePointStream } from '../../contract/stream/point-encoder.js';
import type { ServiceContext } from '../context.js';
import type { Handlers } from '../handlers.js';
import { byteStream, primed } from '../http/stream.js';
import { jsonBlocks } from './json-blocks.js';
import { type PointRequest, planPoints } from './plan-points.js';
import { preparedPoints } from './prepare-points.js';

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
  const batches = await primed(allBatches(requests, service, signal));
  return wantsArrow(request) ? arrowAnswer(requests, batches) : jsonAnswer(requests, batches);
}

function wantsArrow(request: Request): boolean {
  return (request.headers.get('accept') ?? '').includes(ARROW_STREAM);
}

function arrowAnswer(requests: readonly PointRequest[], batches: AsyncIterable<PointColumns>): Response {
  const head = {
    series: requests.flatMap((request) => request.series),
    withAvailableDate: requests.some((request) => request.plan.withAvailableDate),
    withMetadata: requests.some((request) => request.plan.withMetadata),
  };
  return new Response(byteStream(encodePointStream(head, batches)), {
    headers: { 'content-type': ARROW_STREAM },
  });
}

function jsonAnswer(requests: readonly PointRequest[], batches: AsyncIterable<PointColumns>): Response {
  const series = requests.flatMap(({ plan, series: described }) =>
    described.map((one, i) => (i < plan.series.length ? one : null)),
  );
  return new Response(byteStream(jsonBlocks(series, batches)), {
    headers: { 'content-type': 'application/json', [BLOCK_CHECKSUMS]: 'blocks' },
  });
}

/** The batches of all requests, their series numbered through. */
async function* allBatches(
  requests: readonly PointRequest[],
  service: ServiceContext,
  signal: AbortSignal,
): AsyncGenerator<PointColumns> {
  let offset = 0;
  for (const request of requests) {
    for await (const columns of preparedPoints(request, service, signal)) {
      yield offset === 0
        ? columns
        : { ...columns, series: columns.series.map((position) => position + offset) };
    }
    offset += request.series.length;
  }
}
