import { ARROW_STREAM, type PointsQuery } from '../contract/endpoints.js';
import { encodePointStream } from '../contract/point-encoder.js';
import { type BlockSeries, blockHead, positionalPoint } from '../contract/series-blocks.js';
import type { PointColumns } from '../model/point.js';
import type { ServiceContext } from './context.js';
import type { Handlers } from './handlers.js';
import { preparedPoints } from './point-preparation.js';
import { type PointRequest, planPoints } from './point-request.js';
import { byteStream } from './stream.js';

export const retrievePoints: Handlers['points'] = async ({ query, request, signal }, service) =>
  answerPoints([query], service, { request, signal });

export const retrievePointBatch: Handlers['pointsBatch'] = async ({ body, request, signal }, service) =>
  answerPoints(body, service, { request, signal });

async function answerPoints(
  queries: readonly PointsQuery[],
  service: ServiceContext,
  { request, signal }: { request: Request; signal: AbortSignal },
): Promise<Response> {
  const requests: PointRequest[] = [];
  for (const query of queries) requests.push(await planPoints(query, service, signal));
  return wantsArrow(request) ? arrowAnswer(requests, service, signal) : jsonAnswer(requests, service, signal);
}

function wantsArrow(request: Request): boolean {
  return (request.headers.get('accept') ?? '').includes(ARROW_STREAM);
}

function arrowAnswer(
  requests: readonly PointRequest[],
  service: ServiceContext,
  signal: AbortSignal,
): Response {
  const head = {
    series: requests.flatMap((request) => request.series),
    withAvailableDate: requests.some((request) => request.plan.withAvailableDate),
    withMetadata: requests.some((request) => request.plan.withMetadata),
  };
  const batches = allBatches(requests, service, signal);
  return new Response(byteStream(encodePointStream(head, batches)), {
    headers: { 'content-type': ARROW_STREAM },
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

function jsonAnswer(
  requests: readonly PointRequest[],
  service: ServiceContext,
  signal: AbortSignal,
): Response {
  return new Response(byteStream(jsonBlocks(requests, service, signal)), {
    headers: { 'content-type': 'application/json' },
  });
}

/** Series blocks, each series of the store that was asked for exactly once, written as its points come. */
async function* jsonBlocks(
  requests: readonly PointRequest[],
  service: ServiceContext,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let first = true;
  yield '[';
  for (const request of requests) {
    const present = request.series.slice(0, request.plan.series.length);
    for await (const text of requestBlocks(present, preparedPoints(request, service, signal))) {
      yield first ? text.slice(1) : text;
      first = false;
    }
  }
  yield ']';
}

async function* requestBlocks(
  series: readonly BlockSeries[],
  batches: AsyncIterable<PointColumns>,
): AsyncGenerator<string> {
  let open = -1;
  const openUpTo = (position: number): string => {
    let text = '';
    while (open < position) {
      text += `${open < 0 ? '' : ']}'},{"series":${JSON.stringify(blockHead(series[++open]!))},"data":[`;
    }
    return text;
  };
  for await (const columns of batches) {
    let text = '';
    for (let i = 0; i < columns.length; i += 1) {
      const position = columns.series[i]!;
      text += position === open ? ',' : openUpTo(position);
      text += JSON.stringify(positionalPoint(columns, i));
    }
    yield text;
  }
  if (series.length > 0) yield `${openUpTo(series.length - 1)}]}`;
}
