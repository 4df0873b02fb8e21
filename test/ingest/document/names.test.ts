import { describe, expect, it } from 'vitest';
import { BatchBuilder } from '../../../src/ingest/batch/batch-builder.js';
import type { NamedType, StoredNames } from '../../../src/ingest/document/known-names.js';
import { loadKnownNames } from '../../../src/ingest/document/known-names.js';
import { createNameResolver, type NameResolver } from '../../../src/ingest/document/names.js';
import { loadRegionTree } from '../../../src/ingest/regions/tree.js';
import type { SearchDocument } from '../../../src/model/entity.js';
import { someOf } from '../../endurance.js';

const PROGRESS = { label: 'names', done: 0, total: null, unit: 'rows' };

async function createResolver(stored?: StoredNames) {
  const batch = new BatchBuilder();
  const names = createNameResolver(batch, await loadKnownNames(stored));
  return { names, notes: () => batch.take(PROGRESS).notes };
}

function resolveOrNull(names: NameResolver, name: string): number | null {
  try {
    return names.resolve('regions', name);
  } catch {
    return null;
  }
}

describe('NameFinder', () => {
  it.each<[NamedType, string, number]>([
    ['items', 'Corn', 110],
    ['items', 'maize', 110],
    ['regions', 'iowa', 10_019],
    ['regions', 'U.S.A.', 840],
    ['regions', 'The Netherlands', 528],
    ['regions', 'Story County, Iowa', 119_169],
    ['regions', 'Punjab, India', 548_087_203],
    // The name or the container has words of the other, or of a longer name.
    ['regions', 'Northern Ireland, United Kingdom', 544_842_950],
    ['regions', 'Ciudad de México, Mexico', 553_844_279],
    ['regions', 'North, Cameroon', 540_132_425],
    ['regions', 'Marrakech, Marrakech-Safi', 552_692_500],
    ['regions', 'Samar, Eastern Visayas', 557_012_344],
    ['regions', 'Beaufort County, North Carolina, North Carolina', 137_013],
  ])(
    'resolves a name, an alias, the same words, or a name with its parent region: %s %s',
    async (type, name, id) => {
      const { names, notes } = await createResolver();
      expect(names.resolve(type, name)).toBe(id);
      expect(notes()).toEqual([]);
    },
  );

  it('takes a province or county with the name of its container for no other region', async () => {
    const { regions, byId } = await loadRegionTree();
    const { names } = await createResolver();
    const parts = regions.filter(({ level, historical }) => !historical && (level === 4 || level === 5));
    const labels = someOf(parts, 200).flatMap(({ id, name, belongsTo }) =>
      belongsTo.map((parent) => ({ id, label: `${name}, ${byId.get(parent)!.name}` })),
    );
    const resolved = labels.map(({ id, label }) => ({ id, label, as: resolveOrNull(names, label) }));
    expect(resolved.filter(({ id, as }) => as !== null && as !== id)).toEqual([]);
    expect(resolved.filter(({ as }) => as === null).length).toBeLessThan(labels.length / 100);
  });

  it.each(['GP', 'GLP', 'FR-971'])('resolves each ISO 3166 code of a territory: %s', async (code) => {
    const { names } = await createResolver();
    expect(names.resolveCode(code, 'iso')).toBe(312);
  });

  it.each([
    ['72', 630],
    ['72000', 630],
    ['60', 16],
    ['29193', 129_186],
  ])(
    'resolves the FIPS code of a US territory that is a country in ISO 3166, and a replaced one: %s',
    async (code, id) => {
      const { names } = await createResolver();
      expect(names.resolveCode(code, 'fips')).toBe(id);
    },
  );

  it('lists what is near the first thousand unknown names, and still resolves names among the others', async () => {
    const { names, notes } = await createResolver();
    const refusal = (name: string) => {
      try {
        return names.resolve('regions', name);
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(refusal('Iowaa')).toMatch(/called "Iowaa"; similar names: Iowa/);
    for (let i = 1; i < 1100; i++) refusal(`Nowhere ${i}`);
    expect(refusal('Nebrasca')).toBe('there is no region called "Nebrasca"');
    expect(refusal('India, Punjab')).toBe(548_087_203);
    expect(notes()!.at(-1)).toBe('more than 1000 names are unknown; similar names are no longer suggested');
  });

  it('refuses a code or a short name that several regions have, and takes it where the level tells', async () => {
    const { names } = await createResolver();
    expect(() => names.resolve('regions', 'IN')).toThrow(
      'region "IN" is ambiguous: India, Asia (356); Indiana, United States (10018); set "level" or "within"',
    );
    expect(names.resolve('regions', 'IN', 'country')).toBe(356);
    expect(names.resolve('regions', 'IN', 'province')).toBe(10_018);
    expect(names.resolve('regions', 'UA')).toBe(804);
    expect(() => names.resolve('regions', 'Polk County')).toThrow(
      '"Polk County" is ambiguous: Polk County, Arkansas',
    );
    for (const name of ['Southern Africa', 'Eastern Africa', 'Washington County, United States'])
      expect(() => names.resolve('regions', name)).toThrow(`region "${name}" is `);
    expect(names.resolve('regions', 'Southern, Zambia')).toBe(570_441_419);
    expect(names.resolve('regions', 'Washington, United States')).toBe(10_053);
  });

  it('says which names of a table become one series', async () => {
    const { names, notes } = await createResolver();
    for (const name of ['Maize', 'MAIZE ', 'Corn', 'Corn', 'Wheat']) names.resolve('items', name);
    expect(notes()).toEqual(['items "Maize" and "Corn" are both read as item 110, and become one series']);
  });

  it('refuses near matches, and names them', async () => {
    const { names, notes } = await createResolver();
    const refusal =
      'there is no region called "Missisippi"; similar names: Mississippi, United States (10028)';
    for (let times = 0; times < 2; times++) {
      expect(() => names.resolve('regions', 'Missisippi')).toThrow(refusal);
    }
    expect(notes()).toEqual([refusal]);
  });

  it('names the other name that is near, so that nobody takes sorghum for milk', async () => {
    const { names } = await createResolver();
    expect(() => names.resolve('items', 'Milk')).toThrow(
      'there is no item called "Milk"; similar names: Sorghum (114)',
    );
  });

  it('never offers oats for goats', async () => {
    const { names, notes } = await createResolver();
    expect(() => names.resolve('items', 'Goats')).toThrow(/^there is no item called "Goats"$/);
    expect(() => names.resolve('items', 'Price')).toThrow(/^there is no item called "Price"$/);
    expect(notes()).toEqual([]);
  });

  it('takes no plural of a place for the place: the Americas are not America', async () => {
    const { names } = await createResolver();
    for (const name of ['Americas', 'The Carolinas', 'Dakotas', 'Guineas', 'Islands'])
      expect(() => names.resolve('regions', name)).toThrow(
        `there is no region called "${name}"; similar names`,
      );
    expect(names.resolve('regions', 'Iowa, United States')).toBe(10_019);
    expect(names.resolve('regions', 'Falkland Islands')).toBe(238);
  });

  it('refuses texts with unknown words', async () => {
    const { names, notes } = await createResolver();
    expect(() => names.resolve('regions', 'Iowa Kxqz')).toThrow(
      'called "Iowa Kxqz"; similar names: Iowa, United States (10019); Iowa County, Iowa (119095)',
    );
    expect(() => names.resolve('items', 'Kxqz')).toThrow(/called "Kxqz"$/);
    expect(() => names.resolve('items', '')).toThrow(/called ""$/);
    expect(() => names.resolve('regions', 'Iowa', 'country')).toThrow('no region at the level "country"');
    expect(notes()![0]).toBe(
      'there is no region called "Iowa Kxqz"; similar names: Iowa, United States (10019); Iowa County, Iowa (119095)',
    );
  });

  it('resolves entities of the store, those with data first', async () => {
    const base = { aliases: [], level: null, historical: false };
    const stored: Record<string, SearchDocument[]> = {
      items: [
        { ...base, id: 7_000_001, name: 'Teff', pointCount: 3 },
        { ...base, id: 7_000_002, name: 'Teff', pointCount: 9 },
      ],
      regions: [
        {
          ...base,
          id: 10_013,
          name: 'Georgia, United States',
          aliases: ['Georgia'],
          level: 4,
          pointCount: 5,
        },
      ],
    };
    const { names, notes } = await createResolver({
      namesChecksum: async (type) => `${type} of this store`,
      searchDocuments: async (type) => stored[type] ?? [],
      pointCounts: async (type) =>
        new Map((stored[type] ?? []).map(({ id, pointCount }) => [id, pointCount])),
      kept: { read: async () => null, write: async () => {} },
    });
    expect(names.resolve('items', 'teff')).toBe(7_000_002);
    expect(names.resolve('regions', 'Georgia')).toBe(268);
    expect(names.resolve('regions', 'Mexico')).toBe(484);
    expect(notes()).toEqual([
      'item "teff" was read as Teff (7000002); it could also be Teff (7000001)',
      'region "Georgia" was read as Georgia, Asia (268); it could also be Georgia, United States (10013); set "level" or "within" of the region in the document to distinguish them',
    ]);
  });
});
