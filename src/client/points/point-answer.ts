import { type PackedPoints, packColumns } from '../../columns/packed-points.js';
import type { PointColumns } from '../../columns/point-columns.js';
import type { EndpointName } from '../../contract/endpoints.js';
import { decodeSeriesBlocks } from '../../contract/read-blocks.js';
import type { BlockSeries } from '../../contract/series-blocks.js';
import { carriedPoints } from '../../contract/series-stream/carried-points.js';
import { decodeSeriesStream } from '../../contract/series-stream/decoder.js';
import { decodePointStream } from '../../contract/stream/point-decoder.js';
import {
  ARROW_STREAM,
  ARROW_STREAM_BY_SERIES,
  ARROW_STREAM_CRC32,
  BLOCK_CHECKSUMS,
  mediaParameters,
} from '../../contract/wire-names.js';
import { ContractError, HttpError } from '../../model/errors.js';
import type { SelectionLists } from '../../model/selection.js';
import { misfit, readJsonBody } from '../http/answer.js';
import { loadContract } from '../http/contract.js';
import { isUnserved } from '../newer-operation.js';
import { wholeBody } from '../sending/send.js';

/** The points of an answer: its series at once, its batches as they arrive, each checked for damage. */
export interface PointAnswer {
  readonly series: readonly BlockSeries[];
  /** Runs of one series each. Those of a batch may share memory, which later batches do not overwrite. */
  readonly batches: AsyncIterable<readonly PackedPoints[]>;
  /** True when `series` has every requested series, also those without points: our own format guarantees it. */
  readonly accounted: boolean;
}

/** Reads an answer of points in whichever format it is. @throws ContractError, NetworkError, also from the batches */
export async function openPointAnswer(
  name: EndpointName,
  response: Response,
  lists?: SelectionLists,
): Promise<PointAnswer> {
  if (response.status === 204) return { series: [], batches: oneByOne([]), accounted: false };
  const carried = carriedPoints(response);
  if (carried !== undefined) return { series: carried.series, batches: carried.take(), accounted: true };
  const type = response.headers.get('content-type') ?? '';
  if (type.includes(ARROW_STREAM)) return { ...(await openStream(name, response, type)), accounted: true };
  const mustHaveChecksums = response.headers.get(BLOCK_CHECKSUMS) === 'blocks';
  const value = await readJsonBody(name, response);
  const { series, batches } = await readBlocks(value, { endpoint: name, lists, mustHaveChecksums });
  return { series, batches: oneByOne(batches.map(packColumns)), accounted: false };
}

async function openStream(
  name: EndpointName,
  response: Response,
  type: string,
): Promise<Omit<PointAnswer, 'accounted'>> {
  const whole = wholeBody(response);
  const body = whole === undefined ? response.body : oneByOne([whole]);
  if (body === null) throw new ContractError(name, `${name}: the answer is empty`, { damaged: true });
  const layout = mediaParameters(type).get('layout');
  if (layout === 'series') return decodeSeriesStream(body, name);
  if (layout !== undefined)
    throw new ContractError(name, `${name}: the points are in an unknown layout: "${layout}"`);
  const { series, batches } = await decodePointStream(body, name);
  return { series, batches: packBatches(batches) };
}

async function readBlocks(
  value: unknown,
  asked: { endpoint: EndpointName; lists: SelectionLists | undefined; mustHaveChecksums: boolean },
) {
  const { endpoint } = asked;
  const { blockShape } = await loadContract();
  const result = blockShape.array().safeParse(value ?? []);
  if (!result.success) throw misfit(endpoint, result.error.issues[0]!);
  if (asked.mustHaveChecksums && result.data.some(({ checksum }) => checksum === undefined))
    throw new ContractError(endpoint, `${endpoint}: a series has no checksum`, { damaged: true });
  return decodeSeriesBlocks(result.data, asked);
}

/** Copies the values, because the next message overwrites them. */
async function* packBatches(
  batches: AsyncIterable<PointColumns>,
): AsyncGenerator<PackedPoints[], void, undefined> {
  for await (const columns of batches)
    yield packColumns({ ...columns, value: columns.value.slice(0, columns.length) });
}

async function* oneByOne<Element>(list: readonly Element[]): AsyncGenerator<Element, void, undefined> {
  yield* list;
}

/** The answer to a batch is in a format that does not say which series have no points. */
export class UnaccountedBatch extends Error {}

/** Remembers which formats the service supports. */
export class FormatNegotiation {
  #arrow = true;
  #batched = true;

  /** The `Accept` header for points. */
  get accept(): string {
    return this.#arrow
      ? `${ARROW_STREAM_BY_SERIES}, ${ARROW_STREAM_CRC32};q=0.9, ${ARROW_STREAM};q=0.8, application/json;q=0.5`
      : 'application/json';
  }

  /** False once the service has refused a batch. */
  get batches(): boolean {
    return this.#batched;
  }

  /**
   * Remembers a refusal of Arrow; true when the refused request accepted it, so that it can be repeated without.
   */
  refusedArrow(error: unknown, accept: string): boolean {
    if (!(error instanceof HttpError) || error.status !== 406 || !accept.includes(ARROW_STREAM)) return false;
    this.#arrow = false;
    return true;
  }

  /** Remembers a refusal of batches; true when the error is such a refusal. */
  refusedBatch(error: unknown): boolean {
    const refused = error instanceof UnaccountedBatch || isUnserved(error);
    if (refused) this.#batched = false;
    return refused;
  }
}
