import { StoreError } from '../../model/errors.js';
import type { LongOperation } from '../../model/progress.js';
import { isClickHouseAddress } from '../clickhouse/engine/address.js';
import { openClusterTarget } from './cluster-target.js';
import { type ComparedStores, comparePoints } from './compare-points.js';
import { type CopySource, type CopyTarget, openSource, planParts } from './copy-source.js';
import { openFileTarget } from './file-target.js';

interface CopyOptions extends LongOperation {
  /** Latest points of a part, roughly. A copy goes on with the number that it began with. */
  readonly partPoints?: number | undefined;
}

/**
 * Copies a store into an empty one: from a file into a cluster, back, or between two of a kind. Handles, revisions and the
 * dates of imports stay; users and tokens are left out. All points are read back from both and compared before the copy
 * becomes a store. A copy that breaks off goes on where it was when it is run again.
 * @throws StoreError when the target has data, or differs in the end
 */
export async function copyStore(
  from: string,
  to: string,
  operation: CopyOptions = {},
): Promise<ComparedStores> {
  if (from === to) throw new StoreError(`${from} cannot be copied onto itself; name another store`);
  const source = await openSource(from, operation);
  const interrupt = () => source.connection.interrupt();
  operation.signal?.addEventListener('abort', interrupt, { once: true });
  let target: CopyTarget | null = null;
  try {
    target = isClickHouseAddress(to) ? await openClusterTarget(to, source) : await openFileTarget(to, source);
    return await copyInto(source, target, operation);
  } catch (error) {
    operation.signal?.throwIfAborted();
    throw error;
  } finally {
    operation.signal?.removeEventListener('abort', interrupt);
    await target?.close().catch(() => {});
    await source.close();
  }
}

async function copyInto(
  source: CopySource,
  target: CopyTarget,
  { partPoints, ...operation }: CopyOptions,
): Promise<ComparedStores> {
  const parts = await planParts(source, partPoints);
  if (parts.length === 0) throw new StoreError(`${source.location} has no points; there is nothing to copy`);
  const total = parts.reduce((sum, { points }) => sum + points, 0);
  await target.copyTables(operation);
  let done = 0;
  for (const part of parts) {
    operation.signal?.throwIfAborted();
    operation.onProgress?.({ label: 'copying points', done, total, unit: 'rows' });
    if (!target.hasPart(part)) {
      await source.loadPart(part, { signal: operation.signal });
      await target.copyPart(part, operation);
    }
    done += part.points;
  }
  operation.onProgress?.({ label: 'copying points', done, total, unit: 'rows' });
  const compared = await comparePoints([source.reader, await target.open()], { ...operation, total });
  operation.signal?.throwIfAborted();
  await target.finish();
  return compared;
}
