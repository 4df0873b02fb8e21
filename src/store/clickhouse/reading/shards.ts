import { handleRanges } from '../../packing/known-series.js';
import type { ReadOptions } from '../../store.js';
import type { ReadServers } from '../engine/cluster.js';
import type { Shard } from '../engine/shard.js';
import { type Condition, idCondition } from '../engine/snapshot.js';
import { together } from '../engine/together.js';

/** A series by its handle, by which it has its shard. */
export interface Handled {
  readonly handle: number;
}

/**
 * Reads from every shard that holds some of the series, which ascend by handle.
 * @param read is given the condition that selects the points of those that a shard holds
 */
export async function eachShard(
  cluster: ReadServers,
  series: readonly Handled[],
  options: ReadOptions,
  read: (shard: Shard, of: Condition, options: ReadOptions) => Promise<void>,
): Promise<void> {
  await together(
    cluster.shards,
    async (shard, reading) => {
      const own = series.filter(({ handle }) => cluster.shardOf(handle) === shard);
      if (own.length > 0) await read(shard, handleCondition(series, own), reading);
    },
    options,
  );
}

/** A range where there are no others between them, or else a list of the series of a shard. */
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
