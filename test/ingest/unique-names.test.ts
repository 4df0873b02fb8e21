import { expect, it } from 'vitest';
import { BatchBuilder } from '../../src/ingest/batch/batch-builder.js';
import { newStore } from './stores.js';

it('names are unique by the data set, then by the rest of the identity, and again the same in a later import', async () => {
  const store = await newStore();
  const read = async (dataset: string) => {
    const batch = await BatchBuilder.create({ store }, dataset);
    const add = (rest: string) =>
      batch.addNamedEntity('metrics', `${dataset}:metric:${rest}`, {
        name: 'total use',
        definition: '',
        belongsTo: [],
      });
    const ids = [add('one'), add('two')];
    const entities = batch.take({ label: '', done: 0, total: 0, unit: 'rows' }).entities?.metrics ?? [];
    const transaction = await store.begin();
    await transaction.putEntities('metrics', entities);
    await transaction.commit();
    return ids.map((id) => entities.find((metric) => metric.id === id)?.name);
  };
  const names = ['total use (A)', 'total use (two)'];
  expect(await read('A')).toEqual(names);
  expect(await read('B')).toEqual(['total use (B)', expect.stringMatching(/^total use \(\d+\)$/)]);
  expect(await read('A')).toEqual(names);
});
