import type { IncomingMessage } from 'node:http';
import { brokenOffError, type Failure, silentError } from './errors.js';

/** What ends a whole answer: in an Arrow stream a marker and a length of 0. */
const ENDS = {
  ArrowStream: Buffer.from([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]),
  Parquet: Buffer.from('PAR1'),
} as const;

export type ByteFormat = keyof typeof ENDS;

const MAX_ERROR_BYTES = 4096;

/**
 * The chunks of an answer, which must end as its format does. Waiting for a chunk has a limit, but not what the
 * caller does with one.
 */
export async function* checkedBytes(
  stream: IncomingMessage,
  format: ByteFormat,
  { quietMs, ...failure }: Failure & { readonly quietMs: number },
): AsyncGenerator<Uint8Array> {
  // The limit of the request counts the time in which the caller reads nothing.
  stream.socket?.setTimeout(0);
  let tail = Buffer.alloc(0);
  const chunks = stream[Symbol.asyncIterator]();
  for (;;) {
    const timer = setTimeout(() => stream.destroy(silentError(failure)), quietMs);
    const { done, value } = await chunks.next().finally(() => clearTimeout(timer));
    if (done) break;
    const chunk = value as Buffer;
    tail = Buffer.concat([tail, chunk.subarray(-MAX_ERROR_BYTES)]).subarray(-MAX_ERROR_BYTES);
    yield chunk;
  }
  const end = ENDS[format];
  if (tail.subarray(-end.length).equals(end)) return;
  throw brokenOffError(failure, tail.toString('latin1'));
}
