import type { EngineTables, QueryParts } from '../../queries/engine-tables.js';
import { turns } from '../../turns.js';
import type { ReadServers } from '../engine/cluster.js';
import { type Condition, idCondition, type Snapshot, visible } from '../engine/snapshot.js';
import { type ColumnKind, readArrow } from './arrow-columns.js';

/** The tables of the first server, as a snapshot has them. */
export function tablesAt({ first }: Pick<ReadServers, 'first'>, snapshot: Snapshot): EngineTables {
  return {
    snapshot,
    rows(write, options) {
      const parts = new Parts(snapshot);
      return first.rows(write(parts), parts.parameters, options);
    },
    async *numbers(write, { integers, floats = 0 }, options) {
      const kinds = Array.from(
        { length: integers + floats },
        (_, at): ColumnKind => (at < integers ? 'int32' : 'float64'),
      );
      const parts = new Parts(snapshot);
      const sql = write(parts);
      for await (const { length, columns } of readArrow(first.arrow(sql, parts.parameters, options), kinds)) {
        await turns.next();
        yield { length, columns: columns as readonly (Int32Array | Float64Array)[] };
      }
    },
  };
}

/** Writes the parts of a query, whose parameters it gathers. */
class Parts implements QueryParts {
  readonly parameters: Record<string, Condition['parameters'][string]> = {};
  readonly #seen: string;
  readonly #lists = new Map<string, Map<readonly number[], string>>();

  constructor(snapshot: Snapshot) {
    const { where, parameters } = visible(snapshot);
    this.#seen = where;
    Object.assign(this.parameters, parameters);
  }

  from(table: string, where?: string): string {
    return `${table} WHERE ${this.#seen}${where === undefined ? '' : ` AND ${where}`}`;
  }

  /** A list is sent once, however often the query names it. */
  ids(column: string, ids: readonly number[]): string {
    const lists = this.#lists.get(column) ?? new Map<readonly number[], string>();
    this.#lists.set(column, lists);
    const written = lists.get(ids);
    if (written !== undefined) return written;
    const { where, parameters } = idCondition(column, ids, `ids${Object.keys(this.parameters).length}`);
    Object.assign(this.parameters, parameters);
    lists.set(ids, where);
    return where;
  }

  number(column: string): string {
    return `ifNull(CAST(${column}, 'Nullable(Float64)'), nan)`;
  }

  hash(columns: string): string {
    return `toString(sum(sipHash64(${columns})))`;
  }
}
