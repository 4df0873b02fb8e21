import { handleRanges } from '../../packing/handle-ranges.js';
import type { ReadOptions } from '../../store.js';
import type { ReadServers } from '../engine/cluster.js';
import type { Shard } from '../engine/shard.js';
import type { Condition } from '../engine/snapshot.js';
import { idCondition } from './conditions.js';

/** A series by its handle, by which it has its shard. */
export interface Handled {
  readonly handle: number;
}

/** Series whose points are counted by one query of each shard. */
const MAX_COUNTED_SERIES = 100_000;

/** Neighbours of a list of series that are counted together. */
export function* seriesGroups<One extends Handled>(series: readonly One[]): Generator<readonly One[]> {
  for (let from = 0; from < series.length; from += MAX_COUNTED_SERIES)
    yield series.slice(from, from + MAX_COUNTED_SERIES);
}

/**
 * Reads from every shard that holds some of the series, which ascend by handle. What fails on one of them ends the others:
 * no answer is a part of one.
 * @param read is given the condition that selects the points of those that a shard holds
 */
export async function eachShard(
  cluster: ReadServers,
  series: readonly Handled[],
  { signal }: ReadOptions,
  read: (shard: Shard, of: Condition, options: ReadOptions) => Promise<void>,
): Promise<void> {
  const failing = new AbortController();
  const any = signal === undefined ? failing.signal : AbortSignal.any([signal, failing.signal]);
  const reads = cluster.shards.map(async (shard) => {
    const own = series.filter(({ handle }) => cluster.shardOf(handle) === shard);
    if (own.length === 0) return;
    try {
      await read(shard, handleCondition(series, own), { signal: any });
    } catch (error) {
      failing.abort(error);
      throw error;
    }
  });
  await Promise.all(reads).finally(() => Promise.allSettled(reads));
}

/** A range where there are no others between them, or else a list of what a shard holds. */
function handleCondition(series: readonly Handled[], own: readonly Handled[]): Condition {
  if (handleRanges(series).length > 1)
    return idCondition(
      'series',
      own.map(({ handle }) => handle),
    );
  return {
    where: 'series BETWEEN {first:Int32} AND {last:Int32}',
    parameters: { first: series[0]!.handle, last: series.at(-1)!.handle },
  };
}
