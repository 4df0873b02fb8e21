import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../../src/store/open.js';
import type { Store, StoreTransaction } from '../../../src/store/store.js';
import { runSql } from './run-sql.js';

/** A store in a file whose points are shuffled after every import, so that no two imports keep any layout. */
export async function openUnsortedStore(): Promise<Store> {
  const folder = mkdtempSync(join(tmpdir(), 'unsorted-'));
  const path = join(folder, 'store.db');
  let inner = await openStore(path);
  const shuffle = async (): Promise<void> => {
    await inner.close();
    for (const table of ['packed_point', 'packed_history'])
      await runSql(
        path,
        `CREATE OR REPLACE TABLE ${table} AS FROM ${table} ORDER BY hash(series, start_day, value)`,
      );
    inner = await openStore(path);
  };
  const begin = async (): Promise<StoreTransaction> =>
    forwarding(await inner.begin(), (transaction) => ({
      commit: async (options?: Parameters<StoreTransaction['commit']>[0]) => {
        const counts = await transaction.commit(options);
        await shuffle();
        return counts;
      },
    }));
  const close = async (): Promise<void> => {
    await inner.close();
    rmSync(folder, { recursive: true, force: true });
  };
  const replaced: Partial<Store> = { begin, close };
  return new Proxy(inner, { get: (_, name) => Reflect.get(replaced, name) ?? memberOf(inner, name) });
}

function forwarding<Target extends object>(
  target: Target,
  replace: (target: Target) => Partial<Target>,
): Target {
  const replaced = replace(target);
  return new Proxy(target, {
    get: (_, name) => (name in replaced ? Reflect.get(replaced, name) : memberOf(target, name)),
  });
}

function memberOf(target: object, name: string | symbol): unknown {
  const member: unknown = Reflect.get(target, name);
  return typeof member === 'function' ? member.bind(target) : member;
}
