import { afterAll, beforeAll, expect } from 'vitest';
import { type Served, serveStore } from '../serving-store.js';

/** The store that all tests of the wire share. */
export let served: Served;

export function serveForAllTests(): void {
  beforeAll(async () => {
    served = await serveStore();
  });
  afterAll(() => served?.close());
}

/** The JSON body of a successful GET. */
export async function body<Body>(path: string): Promise<Body> {
  const { status, body: found } = await served.json(path);
  expect(status, path).toBe(200);
  return found as Body;
}

/** The first hit of a search. */
export async function idOf(type: string, words: string): Promise<number> {
  const [first] = await body<{ id: number }[]>(`/v2/search/${type}?q=${encodeURIComponent(words)}`);
  return first!.id;
}

/** The query of the series with revisions. */
export function revisedQuery(): string {
  const { metric_id, item_id, region_id, source_id, frequency_id } = served.known.revised;
  return `metricId=${metric_id}&itemId=${item_id}&regionId=${region_id}&sourceId=${source_id}&frequencyId=${frequency_id}`;
}

/** A series block of a JSON answer. */
export interface Block {
  series: Record<string, unknown>;
  data: [string, string, number | null, string | null, number, unknown, string | null][];
}
