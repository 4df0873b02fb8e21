import { expect, it } from 'vitest';
import type { SearchDocument } from '../../src/model/entity.js';
import { recentOrNewIndex } from '../../src/search/recent-index.js';

const corn: SearchDocument = {
  id: 1,
  name: 'Corn',
  aliases: ['maize'],
  pointCount: 5,
  level: null,
  historical: false,
};

it('is the last index for equal documents', async () => {
  const first = await recentOrNewIndex('items', [corn]);
  expect(await recentOrNewIndex('items', [{ ...corn, aliases: ['maize'] }])).toBe(first);
});

it.each<[string, SearchDocument[]]>([
  ['id', [{ ...corn, id: 2 }]],
  ['name', [{ ...corn, name: 'Wheat' }]],
  ['alias', [{ ...corn, aliases: ['mais'] }]],
  ['further alias', [{ ...corn, aliases: ['maize', 'mais'] }]],
  ['number of points', [{ ...corn, pointCount: 6 }]],
  ['level', [{ ...corn, level: 3 }]],
  ['historical flag', [{ ...corn, historical: true }]],
  ['document', [corn, { ...corn, id: 2 }]],
])('is a new index for another %s', async (_, documents) => {
  const first = await recentOrNewIndex('items', [corn]);
  const other = await recentOrNewIndex('items', documents);
  expect(other).not.toBe(first);
  expect(other.documents).toEqual(documents);
});

it('is not shared by two types', async () => {
  const items = await recentOrNewIndex('items', [corn]);
  expect((await recentOrNewIndex('metrics', [corn])).type).toBe('metrics');
  expect(items.type).toBe('items');
});
