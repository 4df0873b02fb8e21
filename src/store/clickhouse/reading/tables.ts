import { type EngineTables, idCondition } from '../../queries/engine-tables.js';
import { turns } from '../../turns.js';
import type { Cluster } from '../engine/cluster.js';
import { type Snapshot, visible } from '../engine/snapshot.js';
import { readArrow } from './arrow-columns.js';

/** The tables of the first server, as a snapshot has them. */
export function tablesAt({ first }: Pick<Cluster, 'first'>, snapshot: Snapshot): EngineTables {
  const seen = visible(snapshot);
  return {
    snapshot,
    from: (table, where) => `${table} WHERE ${where === undefined ? seen : `${seen} AND ${where}`}`,
    ids: idCondition,
    number: (column) => `ifNull(CAST(${column}, 'Nullable(Float64)'), nan)`,
    hash: (columns) => `toString(sum(sipHash64(${columns})))`,
    rows: (sql, options) => first.rows(sql, {}, options),
    async *numbers(sql, options) {
      for await (const rows of readArrow(first.arrow(sql, {}, options))) {
        await turns.next();
        yield rows;
      }
    },
  };
}
