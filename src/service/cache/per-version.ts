import type { StoreReader } from '../../store/store.js';

/** Caches one result until the store's version changes. A failure is not cached. */
export function perVersion<Result>(store: StoreReader, load: () => Promise<Result>): () => Promise<Result> {
  let cached: { version: string; result: Promise<Result> } | null = null;
  return async () => {
    const version = await store.version();
    if (cached?.version !== version) {
      const entry = { version, result: load() };
      cached = entry;
      entry.result.catch(() => {
        if (cached === entry) cached = null;
      });
    }
    return cached.result;
  };
}
