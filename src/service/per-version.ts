import type { Store } from '../store/store.js';

/** Keeps one result for as long as the store's version stays the same. */
export function perVersion<Result>(store: Store, make: () => Promise<Result>): () => Promise<Result> {
  let kept: { version: string; result: Promise<Result> } | null = null;
  return async () => {
    const version = await store.version();
    if (kept?.version !== version) {
      const result = make();
      const entry = { version, result };
      kept = entry;
      result.catch(() => {
        if (kept === entry) kept = null;
      });
    }
    return kept.result;
  };
}
