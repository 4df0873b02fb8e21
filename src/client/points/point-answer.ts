import type { EndpointName } from '../../contract/endpoints.js';
import { carriedPoints } from '../../contract/points/carried-points.js';
import { type DecodedPoints, decodeRuns } from '../../contract/points/read-runs.js';
import { decodeSeriesBlocks } from '../../contract/read-blocks.js';
import { RUNS } from '../../contract/wire-names.js';
import { badAnswer, HttpError } from '../../model/errors.js';
import type { SelectionLists } from '../../model/selection.js';
import { misfit, readJsonBody } from '../http/answer.js';
import { loadContract } from '../http/contract.js';
import { isUnserved } from '../newer-operation.js';
import { wholeBody } from '../sending/send.js';

/** The points of an answer: its series at once, its batches as they arrive, each checked for damage. */
export interface PointAnswer extends DecodedPoints {
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
  if (type.includes(RUNS)) return { ...(await decodeRuns(bodyOf(name, response), name)), accounted: true };
  const { series, runs } = await readBlocks(await readJsonBody(name, response), { endpoint: name, lists });
  return { series, batches: oneByOne([runs]), accounted: false };
}

function bodyOf(name: EndpointName, response: Response): AsyncIterable<Uint8Array> {
  const whole = wholeBody(response);
  const body = whole === undefined ? response.body : oneByOne([whole]);
  if (body === null) throw badAnswer(name, 'the answer is empty', { damaged: true });
  return body as AsyncIterable<Uint8Array>;
}

async function readBlocks(
  value: unknown,
  requested: { endpoint: EndpointName; lists: SelectionLists | undefined },
) {
  const { blockShape } = await loadContract();
  const result = blockShape.array().safeParse(value ?? []);
  if (!result.success) throw misfit(requested.endpoint, result.error.issues[0]!);
  return decodeSeriesBlocks(result.data, requested);
}

async function* oneByOne<Element>(list: readonly Element[]): AsyncGenerator<Element, void, undefined> {
  yield* list;
}

/** The answer to a batch is in a format that does not say which series have no points. */
export class UnaccountedBatch extends Error {}

const JSON_ONLY = 'application/json';
const EVERY_FORM = `${RUNS}, ${JSON_ONLY};q=0.5`;

/** Remembers which formats the service supports. */
export class FormatNegotiation {
  #accept = EVERY_FORM;
  #batched = true;

  /** False once the service has refused a batch. */
  get batches(): boolean {
    return this.#batched;
  }

  /** Makes a request with the `Accept` header for points; again, for JSON, where the service refuses the others by a 406. */
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

  /** Remembers a refusal of batches; true when the error is such a refusal. */
  refusedBatch(error: unknown): boolean {
    const refused = error instanceof UnaccountedBatch || isUnserved(error);
    if (refused) this.#batched = false;
    return refused;
  }
}
