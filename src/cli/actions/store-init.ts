import { ArgumentError } from '../../model/errors.js';
import { isClickHouseAddress, parseAddress } from '../../store/clickhouse/engine/address.js';
import { initClickhouseStore } from '../../store/clickhouse/open-cluster.js';
import { SCHEMA_VERSION } from '../../store/clickhouse/prepared.js';
import { schemaStatements } from '../../store/clickhouse/schema.js';
import { type CommandContext, writeLine } from '../terminal/io.js';

/** Creates the tables of a store on ClickHouse servers, or prints what would. */
export async function initStore(
  context: CommandContext,
  { store, print }: { readonly store: string; readonly print?: boolean | undefined },
): Promise<void> {
  if (!isClickHouseAddress(store)) {
    throw new ArgumentError(
      'store',
      `store: ${store} is a file, which the first import creates; omit "store init"`,
    );
  }
  const address = parseAddress(store);
  if (print === true) return writeLine(context.stdout, script(address));
  await initClickhouseStore(store);
  const shards = address.hosts.length;
  await writeLine(
    context.stdout,
    `${address.location} is a store of this version, on ${shards} ${shards === 1 ? 'shard' : 'shards'}`,
  );
}

function script(address: ReturnType<typeof parseAddress>): string {
  return `-- The tables of a cropframe store, schema version ${SCHEMA_VERSION}: every server needs "point" and "shard_meta", and the
-- first one, ${address.hosts[0]}, all of them. With replicas, write ReplicatedMergeTree for MergeTree, and
-- replicated_deduplication_window for non_replicated_deduplication_window. Run afterwards, which adds what the servers
-- know of each other:
-- cropframe store init --store '${address.location}'

${schemaStatements(address)
  .map((statement) => `${statement};`)
  .join('\n\n')}`;
}
