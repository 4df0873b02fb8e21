import { describe, expect, it } from 'vitest';
import { entityOperations } from '../../src/client/entities.js';
import { nameOperations, requireExact } from '../../src/client/resolve-name.js';
import { json, scripted } from './answering.js';

function namesOver(answers: unknown[]) {
  const { transport } = scripted(answers.map((answer) => json(answer)));
  return nameOperations(transport, entityOperations(transport));
}

/** The match of a name, of a service that sends ids alone and names entity 7 so. */
const matchOf7 = (text: string, name?: string) =>
  namesOver([[{ id: 7 }], { data: { 7: { id: 7, name } } }]).resolveName('items', text);

describe('a service that does not say which hits are exact', () => {
  it('has an exact hit where its entity has the name', async () => {
    expect(await matchOf7('maïs', 'Mais')).toEqual({ requested: 'maïs', id: 7, name: 'Mais', exact: true });
    expect(await matchOf7('corn', 'Corn silage')).toMatchObject({ name: 'Corn silage', exact: false });
  });

  it('has no exact hit without a name, not even for its id', async () => {
    const match = (await matchOf7('7'))!;
    expect(match).toEqual({ requested: '7', id: 7, name: '7', exact: false });
    const refuse = () => requireExact(match, { argument: 'item', refusal: 'no item is called "7"' });
    expect(refuse).toThrow(
      'item: no item is called "7"; the service does not say the name of its best hit, id 7',
    );
  });
});

describe('the entity of a name', () => {
  const hit = (id: number, name: string, exact: boolean) => ({ id, name, exact });

  it('is the first that is called so, before those with the synonym and before better hits', async () => {
    const hits = [hit(1, 'Corn oil', false), hit(2, 'Maize meal', true), hit(3, 'Corn', true)];
    const match = await namesOver([hits]).resolveName('items', 'corn');
    expect(match).toEqual({ requested: 'corn', id: 3, name: 'Corn', exact: true });
  });

  it('names the others that are called so', async () => {
    const match = await namesOver([[hit(1, 'Oats', true), hit(2, 'Oats', true)]]).resolveName(
      'items',
      'oats',
    );
    expect(match).toMatchObject({ name: 'Oats (id 1)', exact: true, namesakes: ['Oats (id 2)'] });
    expect(() => requireExact(match!, { argument: 'item', refusal: '' })).toThrow(
      'item: "oats" is the name of "Oats (id 1)" and "Oats (id 2)"; name one of them',
    );
  });

  it('is undefined where nothing matches', async () => {
    expect(await namesOver([[]]).resolveName('items', 'korn')).toBeUndefined();
  });
});
