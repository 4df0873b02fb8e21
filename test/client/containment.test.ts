import { describe, expect, it } from 'vitest';
import { containmentOperations } from '../../src/client/containment.js';
import { entityOperations } from '../../src/client/entities.js';
import { searchOperations } from '../../src/client/search.js';
import { json, scripted } from './answering.js';

/** A service that ignores `includeHistorical`. */
function operations(related: object) {
  const { transport } = scripted([
    ({ url }) => {
      const { pathname } = new URL(url);
      if (pathname !== '/v2/regions') return json({ data: related });
      return json({ data: { 2: { id: 2, historical: true }, 3: { id: 3 } } });
    },
  ]);
  const entities = entityOperations(transport);
  return containmentOperations(transport, { ...entities, ...searchOperations(transport, entities) });
}

describe('descendants', () => {
  it.each([true, false])('are without historical regions, details: %s', async (include_details) => {
    const options = { include_historical: false, include_details };
    const found = await operations({ 1: [2, 3] }).getDescendant('regions', 1, options);
    expect(found.map(({ id }) => id)).toEqual([3]);
  });

  it('of another entity are refused', async () => {
    await expect(operations({ 7: [2, 3] }).getDescendant('regions', 1)).rejects.toThrow('answered of 7');
    expect(await operations({}).getDescendant('regions', 1)).toEqual([]);
  });
});
