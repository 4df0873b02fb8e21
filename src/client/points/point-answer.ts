import type { PointColumns } from '../../columns/point-columns.js';
import type { EndpointName } from '../../contract/endpoints.js';
import { type BlockSeries, decodeSeriesBlocks } from '../../contract/series-blocks.js';
import { decodePointStream } from '../../contract/stream/point-decoder.js';
import { ARROW_STREAM, BLOCK_CHECKSUMS } from '../../contract/wire-names.js';
import { ContractError, HttpError } from '../../model/errors.js';
import { misfit, readJsonBody } from '../http/answer.js';
import { loadContract } from '../http/contract.js';

/**
 * The points of an answer: its series at once, its batches as they arrive, each checked for damage. Batches may share
 * memory: copy what is kept of one before the next is requested.
 */
export interface PointAnswer {
  readonly series: readonly BlockSeries[];
  readonly batches: AsyncIterable<PointColumns>;
  /** True when `series` has every requested series, also those without points: our own format guarantees it. */
  readonly accounted: boolean;
}

/** Reads an answer of points in either format. @throws ContractError, NetworkError, also from the batches */
export async function openPointAnswer(name: EndpointName, response: Response): Promise<PointAnswer> {
  const type = response.headers.get('content-type') ?? '';
  if (type.includes(ARROW_STREAM)) {
    if (response.body === null) throw new ContractError(name, `${name}: the answer is empty`);
    return { ...(await decodePointStream(response.body, name)), accounted: true };
  }
  const mustHaveChecksums = response.headers.get(BLOCK_CHECKSUMS) === 'blocks';
  const { series, batches } = await readBlocks(name, await readJsonBody(name, response), mustHaveChecksums);
  return { series, batches: oneByOne(batches), accounted: false };
}

async function readBlocks(name: EndpointName, value: unknown, mustHaveChecksums: boolean) {
  const { seriesBlock } = await loadContract();
  const result = seriesBlock.array().safeParse(value);
  if (!result.success) throw misfit(name, result.error.issues[0]!);
  if (mustHaveChecksums && result.data.some(({ checksum }) => checksum === undefined))
    throw new ContractError(name, `${name}: a series has no checksum`);
  return decodeSeriesBlocks(result.data, name);
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
    return this.#arrow ? `${ARROW_STREAM}, application/json;q=0.5` : 'application/json';
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
    const refused =
      error instanceof UnaccountedBatch || (error instanceof HttpError && BATCH_REFUSALS.has(error.status));
    if (refused) this.#batched = false;
    return refused;
  }
}

/** Not found, not with this method, not implemented. */
const BATCH_REFUSALS: ReadonlySet<number> = new Set([404, 405, 501]);
