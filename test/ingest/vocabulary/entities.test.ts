import { describe, expect, it } from 'vitest';
import { findItemId, ITEMS, METRICS, SOURCES } from '../../../src/ingest/vocabulary/entities.js';

describe.each([
  ['ITEMS', ITEMS],
  ['METRICS', METRICS],
] as const)('%s', (_, rows) => {
  it('has unique ids, and unique names and aliases', () => {
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    const names = rows
      .flatMap(({ name, aliases = [] }) => [name, ...aliases])
      .map((name) => name.toLowerCase());
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  });

  it('has parents in the same table, without cycles, and definitions', () => {
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const row of rows) {
      expect(row.definition).toMatch(/\.$/);
      const seen = new Set<number>();
      for (let at: number | undefined = row.id; at !== undefined; at = byId.get(at)!.belongsTo[0]) {
        expect(byId.has(at) && !seen.has(at)).toBe(true);
        seen.add(at);
      }
    }
  });
});

it('names find corn by its name in every data set', () => {
  for (const name of ['corn', 'Maize', 'Maize (corn)', ' CORN, GRAIN ']) expect(findItemId(name)).toBe(110);
});

it('SOURCES each have an id, a licence, a citation and an address', () => {
  const sources = Object.values(SOURCES);
  expect(new Set(sources.map(({ id }) => id)).size).toBe(sources.length);
  for (const { licence, citation, url } of sources) {
    expect(licence.length * citation.length).toBeGreaterThan(0);
    expect(url).toMatch(/^https:\/\//);
  }
});
