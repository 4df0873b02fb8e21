import type { FetchedFile, StoredFetch } from '../store.js';

/** A fetch from a row of `stored_fetch`. */
export function storedFetch(row: Readonly<Record<string, unknown>>): StoredFetch {
  return {
    dataset: String(row.dataset),
    request: String(row.request),
    settings: String(row.settings),
    files: JSON.parse(String(row.files)) as FetchedFile[],
    fetchedMs: Number(row.fetched_at),
  };
}
