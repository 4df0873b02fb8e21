import { describe, expect, it } from 'vitest';
import { containmentOperations, type TraverseOptions } from '../../src/client/containment.js';
import { entityOperations } from '../../src/client/entities.js';
import { searchOperations } from '../../src/client/search.js';
import { json, scripted } from './answering.js';

const REGIONS = { 2: { id: 2, historical: true }, 3: { id: 3, historical: false } };

/** A service that ignores `includeHistorical`. */
function operations(related: object, regions: object = REGIONS) {
  const { transport } = scripted([
    ({ url }) => {
      const { pathname, searchParams } = new URL(url);
      if (pathname.startsWith('/v2/search/')) return json(Object.values(regions));
      if (pathname !== '/v2/regions') return json({ data: related });
      const asked = new Set(searchParams.getAll('ids'));
      return json({ data: Object.fromEntries(Object.entries(regions).filter(([id]) => asked.has(id))) });
    },
  ]);
  const entities = entityOperations(transport);
  return containmentOperations(transport, { ...entities, ...searchOperations(transport, entities) });
}

type Traverse = (type: 'regions', id: number, options: TraverseOptions) => Promise<{ id: number }[]>;
type Traversing = Record<'getDescendant' | 'getAncestor', Traverse>;

describe.each(['getDescendant', 'getAncestor'] as const)('%s of a service that ignores the flag', (name) => {
  it.each([true, false])('leaves out historical regions itself, details: %s', async (include_details) => {
    const client: Traversing = operations({ 1: [2, 3] });
    const found = await client[name]('regions', 1, { include_historical: false, include_details });
    expect(found.map(({ id }) => id)).toEqual([3]);
    const all = await client[name]('regions', 1, { include_details });
    expect(all.map(({ id }) => id)).toEqual([2, 3]);
  });
});

describe('descendants', () => {
  it.each([true, false])(
    'of a service that does not say which are historical, details: %s',
    async (include_details) => {
      const client = operations({ 1: [2, 3] }, { 2: { id: 2, historical: true }, 3: { id: 3 } });
      const found = client.getDescendant('regions', 1, { include_historical: false, include_details });
      await expect(found).rejects.toThrow('does not say the field "historical" of region 3');
      expect(await client.getDescendant('regions', 1)).toHaveLength(2);
    },
  );
});

describe('the containers of an entity that does not list them', () => {
  it('are asked of the service', async () => {
    const regions = { 1: { id: 1 }, 5: { id: 5, name: 'Gondwana' } };
    const found = [];
    for await (const { id } of operations({ 1: [5] }, regions).lookupBelongs('regions', 1)) found.push(id);
    expect(found).toEqual([5]);
  });
});

describe('provinces', () => {
  const REGION = { 2: { id: 2, level: 2 }, 3: { id: 3, level: 3 } };

  it('are of the first country, and never of a region after one whose level is unknown', async () => {
    const found = await operations({ 3: [2] }, REGION).getProvinces('alpha');
    expect(found!.map(({ id }) => id)).toEqual([2]);
    const unknown = operations({ 3: [2] }, { ...REGION, 2: { id: 2 } }).getProvinces('alpha');
    await expect(unknown).rejects.toThrow('does not say the field "level" of region 2');
  });
});
