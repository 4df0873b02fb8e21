import type { ReadOptions } from '../../store.js';
import type { Parameters, Shard } from './shard.js';

/** The import that a row is superseded by while none does. */
export const NOT_GONE = 4_294_967_295;

/** The state that a reader sees. */
export interface Snapshot {
  readonly storeId: string;
  /** The latest committed import, 0 for none. */
  readonly import: number;
  /** Numbers up to `import` that began and never committed, ascending. */
  readonly abandoned: readonly number[];
}

/** The numbers of imports in the log of a store. */
export interface ImportNumbers {
  /** The id of the store: of two that prepared the same one at once, the first. */
  readonly storeId: string;
  /** The last that has begun, 0 for none. */
  readonly last: number;
  /** The latest that is committed, 0 for none. */
  readonly committed: number;
  /** The uncommitted ones, ascending, and whether all that was written under them is removed. */
  readonly open: readonly { readonly number: number; readonly isCleaned: boolean }[];
}

export async function readImportNumbers(shard: Shard, options?: ReadOptions): Promise<ImportNumbers> {
  const [row] = await shard.rows(
    `SELECT (SELECT argMin(store_id, (created_ms, store_id)) FROM shard_meta) AS store_id,
      max(import) AS last, maxIf(import, is_committed) AS committed,
      arraySort(groupArrayIf((import, is_cleaned), NOT is_committed)) AS open
    FROM (
      SELECT import, countIf(state = 'committed') > 0 AS is_committed, countIf(state = 'cleaned') > 0 AS is_cleaned
      FROM import_log GROUP BY import)`,
    {},
    options,
  );
  const open = row!.open as [number, number][];
  return {
    storeId: String(row!.store_id),
    last: Number(row!.last),
    committed: Number(row!.committed),
    open: open.map(([number, cleaned]) => ({ number, isCleaned: cleaned > 0 })),
  };
}

/** Reads which imports are committed. One that was given up is never committed after that. */
export async function readSnapshot(shard: Shard, options?: ReadOptions): Promise<Snapshot> {
  const { storeId, committed, open } = await readImportNumbers(shard, options);
  const abandoned = open.map(({ number }) => number).filter((number) => number < committed);
  return { storeId, import: committed, abandoned };
}

/** Differs for stores and contents of a store. */
export function versionOf({ storeId, import: latest, abandoned }: Snapshot): string {
  return [storeId, latest, ...abandoned].join('-');
}

/** A condition that selects rows, with its parameters. */
export interface Condition {
  readonly where: string;
  readonly parameters: Parameters;
}

/** Selects the rows of a table with the columns `import` and `gone` that are true for a snapshot. */
export function visible(snapshot: Snapshot): Condition {
  const { where, parameters } = imported(snapshot);
  const stays =
    snapshot.abandoned.length === 0
      ? 'gone > {seen:UInt32}'
      : '(gone > {seen:UInt32} OR gone IN {abandoned:Array(UInt32)})';
  return { where: `${where} AND ${stays}`, parameters };
}

/** Selects the rows that were imported by a snapshot, also those that are gone. */
export function imported({ import: seen, abandoned }: Snapshot): Condition {
  const isOld = 'import <= {seen:UInt32}';
  if (abandoned.length === 0) return { where: isOld, parameters: { seen } };
  return { where: `${isOld} AND import NOT IN {abandoned:Array(UInt32)}`, parameters: { seen, abandoned } };
}

/** For how long a snapshot is used before it is read again. */
const FRESH_MS = 1_000;

/** The snapshot of all readers of a process: it is read at most once a second, and the same object while nothing changes. */
export class SharedSnapshot {
  readonly #read: () => Promise<Snapshot>;
  #current: Snapshot | null = null;
  #last: { atMs: number; snapshot: Promise<Snapshot> } | null = null;

  constructor(read: () => Promise<Snapshot>) {
    this.#read = read;
  }

  get(): Promise<Snapshot> {
    const now = performance.now();
    if (this.#last === null || now - this.#last.atMs >= FRESH_MS) {
      const last = { atMs: now, snapshot: this.#read().then((snapshot) => this.#same(snapshot)) };
      last.snapshot.catch(() => {
        if (this.#last === last) this.#last = null;
      });
      this.#last = last;
    }
    return this.#last.snapshot;
  }

  #same(read: Snapshot): Snapshot {
    if (this.#current === null || versionOf(this.#current) !== versionOf(read)) this.#current = read;
    return this.#current;
  }

  /** Makes the next reader read it again. */
  renew(): void {
    this.#last = null;
  }
}

const MAX_ID = 2 ** 31 - 1;

/** A server takes at most 128 KiB for a parameter: so many ids with their commas. */
const MAX_PARAMETER_IDS = 10_000;

/**
 * The condition that a column holds one of these ids. Numbers that cannot be ids are ignored.
 * @param name of the parameters
 */
export function idCondition(column: string, ids: readonly number[], name = column): Condition {
  const valid = ids.filter((id) => Number.isInteger(id) && Math.abs(id) <= MAX_ID);
  if (valid.length === 0) return { where: 'false', parameters: {} };
  const parameters: Record<string, readonly number[]> = {};
  const parts: string[] = [];
  for (let from = 0; from < valid.length; from += MAX_PARAMETER_IDS) {
    const part = `${name.replaceAll('.', '_')}_${parts.length}`;
    parameters[part] = valid.slice(from, from + MAX_PARAMETER_IDS);
    parts.push(`${column} IN {${part}:Array(Int32)}`);
  }
  return { where: parts.length === 1 ? parts[0]! : `(${parts.join(' OR ')})`, parameters };
}

/** The condition that all of some conditions are true. */
export function allOf(...conditions: readonly Condition[]): Condition {
  return {
    where: conditions.map(({ where }) => where).join(' AND '),
    parameters: Object.assign(
      {},
      ...conditions.map(({ parameters }) => parameters),
    ) as Condition['parameters'],
  };
}
