import type { PackedPoints } from '../../columns/packed-points.js';
import { byteLength, joinSmall } from '../stream/byte-chunks.js';
import { POINTS_KEY, type SeriesStreamHead } from './layout.js';
import { runsOfMessages } from './message-runs.js';
import { schemaMetadata } from './schema.js';
import { MessageSealer } from './sealed-messages.js';
import { writeRuns } from './write-runs.js';

/** Encodes lists of points as they arrive, never ahead of the consumer. Values that adjoin in memory are not copied. */
export async function* encodeSeriesStream(
  head: SeriesStreamHead,
  lists: AsyncIterable<readonly PackedPoints[]>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const sealer = new MessageSealer();
  let pending = [sealer.seal(schemaMetadata(head), [])];
  let points = 0;
  for await (const runs of runsOfMessages(lists)) {
    const { metadata, body } = writeRuns(runs, head).finish();
    pending.push(sealer.seal(metadata, body), ...body);
    for (const { length } of runs) points += length;
    if (byteLength(pending) < MIN_YIELD_BYTES) continue;
    yield* joinSmall(pending);
    pending = [];
  }
  const { metadata, body } = writeRuns([], head).finish([POINTS_KEY, String(points)]);
  pending.push(sealer.seal(metadata, body), ...body, sealer.end());
  yield* joinSmall(pending);
}

/** Messages are collected up to this size before they are yielded. */
const MIN_YIELD_BYTES = 262_144;
