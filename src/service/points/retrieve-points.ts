import { createHash } from 'node:crypto';
import { type PackedPoints, unpackLists } from '../../columns/packed-points.js';
import type { PointsQuery } from '../../contract/requests/queries.js';
import { CarriedPoints, carryPoints } from '../../contract/series-stream/carried-points.js';
import { encodeSeriesStream } from '../../contract/series-stream/encoder.js';
import { encodePointStream } from '../../contract/stream/point-encoder.js';
import {
  ARROW_STREAM,
  ARROW_STREAM_BY_SERIES,
  ARROW_STREAM_CRC32,
  BLOCK_CHECKSUMS,
  mediaParameters,
} from '../../contract/wire-names.js';
import type { ServiceContext } from '../context.js';
import type { HandlerInput, Handlers } from '../handler.js';
import { byteStream, generatedAnswer, startEarly } from '../http/stream.js';
import { checkGaps } from './fill-gaps.js';
import { encodeJsonBlocks } from './json-blocks.js';
import { type PointRequest, planPoints } from './plan-points.js';
import { preparePoints } from './prepare-points.js';
import { repeatSeries } from './repeat-series.js';

export const retrievePoints: Handlers['points'] = async ({ query, ...asked }, service) =>
  answerPoints([query], service, asked);

export const retrievePointBatch: Handlers['pointsBatch'] = async ({ body, ...asked }, service) =>
  answerPoints(body, service, asked);

/** Who asks, and how. */
type Asked = Pick<HandlerInput<'points'>, 'request' | 'signal' | 'address'>;

async function answerPoints(
  queries: readonly PointsQuery[],
  service: ServiceContext,
  { request, signal, address }: Asked,
): Promise<Response> {
  const requests = await planPoints(queries, service, signal);
  for (const request of requests) await checkGaps(request, service);
  const lists = await startEarly(readLists(requests, service, signal));
  const type = wantedArrow(request);
  const inProcess = address === null;
  if (type === null) return jsonResponse({ requests, lists, inProcess });
  const answer = type === ARROW_STREAM_BY_SERIES ? await identityOf(queries, service) : null;
  return arrowResponse(type, { requests, lists, inProcess, answer });
}

/** The media type of the Arrow stream that a request accepts, the leanest first; null when it accepts none. */
function wantedArrow(request: Request): string | null {
  const ranges = (request.headers.get('accept') ?? '')
    .split(',')
    .filter((range) => range.trim().toLowerCase().startsWith(ARROW_STREAM))
    .map(mediaParameters);
  if (ranges.some((parameters) => parameters.get('layout') === 'series')) return ARROW_STREAM_BY_SERIES;
  const byPoint = ranges.filter((parameters) => !parameters.has('layout'));
  if (byPoint.some((parameters) => parameters.get('checksum') === 'crc32')) return ARROW_STREAM_CRC32;
  return byPoint.length > 0 ? ARROW_STREAM : null;
}

/** What tells an answer from every other: what was asked, and of which version of the store. */
async function identityOf(queries: readonly PointsQuery[], { store }: ServiceContext): Promise<string> {
  const text = JSON.stringify([await store.version(), queries]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

interface PointAnswer {
  readonly requests: readonly PointRequest[];
  readonly lists: AsyncGenerator<readonly PackedPoints[]>;
  /** Whether the client is in this process: nothing is encoded before it reads, since it may take the points as they are. */
  readonly inProcess: boolean;
}

async function arrowResponse(
  type: string,
  { requests, lists, inProcess, answer }: PointAnswer & { answer: string | null },
): Promise<Response> {
  const head = {
    series: requests.flatMap((request) => request.series),
    withAvailableDate: requests.some((request) => request.plan.withAvailableDate),
    withMetadata: requests.some((request) => request.plan.withMetadata),
  };
  const headers = { 'content-type': type };
  if (answer === null) {
    const withCrc32 = type === ARROW_STREAM_CRC32;
    const stream = encodePointStream({ ...head, withCrc32 }, unpackLists(lists));
    return generatedAnswer(stream, { source: lists, headers, isLazy: inProcess });
  }
  if (!inProcess) {
    const stream = encodeSeriesStream({ ...head, answer }, lists);
    return generatedAnswer(stream, { source: lists, headers, isLazy: false });
  }
  const points = new CarriedPoints(head.series, lists);
  const stream = encodeSeriesStream({ ...head, answer }, points);
  return carryPoints(new Response(byteStream(stream, lists), { headers }), points);
}

function jsonResponse({ requests, lists, inProcess }: PointAnswer): Promise<Response> {
  const series = requests.flatMap(({ series: described }) =>
    described.map((one) => (one.unit_id === null ? null : one)),
  );
  const headers = { 'content-type': 'application/json', [BLOCK_CHECKSUMS]: 'blocks' };
  return generatedAnswer(encodeJsonBlocks(series, unpackLists(lists)), {
    source: lists,
    headers,
    isLazy: inProcess,
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
    const prepared = await preparePoints(request, service, signal);
    for await (const list of repeatSeries(prepared, request)) {
      service.metrics.addPoints(list.reduce((sum, part) => sum + part.length, 0));
      yield shiftSeries(list, offset);
    }
    offset += request.series.length;
  }
}

function shiftSeries(list: readonly PackedPoints[], offset: number): readonly PackedPoints[] {
  return offset === 0 ? list : list.map((part) => ({ ...part, series: part.series + offset }));
}
