import { expect, it } from 'vitest';
import { entityOperations } from '../../src/client/entities.js';
import { searchOperations, suggestion } from '../../src/client/search.js';
import { json, scripted } from './answering.js';

/** The best hits of a name, of a service that sends ids alone and names entity 7 so. */
async function hitsOf(text: string, name?: string) {
  const { transport } = scripted([json([{ id: 7 }]), json({ data: { 7: { id: 7, name } } })]);
  const client = searchOperations(transport, entityOperations(transport));
  return client.searchNames('items', text, {});
}

it('a hit without a name or a mark is exact where its entity has the name', async () => {
  expect(await hitsOf('maïs', 'Mais')).toEqual([{ id: 7, name: 'Mais', exact: true }]);
  expect(await hitsOf('corn', 'Corn silage')).toEqual([{ id: 7, name: 'Corn silage', exact: false }]);
});

it('an entity without a name is never exact, not even of its id, and never suggested by it', async () => {
  const [hit] = await hitsOf('7');
  expect(hit).toEqual({ id: 7, name: '7', exact: false });
  expect(suggestion(hit!)).toBe('the service does not say the name of its best hit, id 7');
  expect(suggestion({ id: 7, name: 'Corn' })).toBe('did you mean "Corn"?');
});
