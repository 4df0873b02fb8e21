import { expect, it } from 'vitest';
import { defineDataset, type Hook } from '../../src/service.js';
import { temporaryFiles } from '../temporary-files.js';
import { collect } from './collect.js';

const { file } = temporaryFiles();

/** Reads a crop from a code of two digits. */
const cropOfCode: Hook = {
  takes: ['code'],
  answers: ['item'],
  prepare: async ({ batch }) => {
    return ({ code = '' }) => ({
      item_id: batch.addNamedEntity('items', `mine:${code}`, {
        name: `Crop ${code}`,
        definition: 'A crop of mine.',
        belongsTo: [],
      }),
    });
  },
};

const DOCUMENT = {
  name: 'mine',
  source: { name: 'My farm' },
  region: { name: 'Iowa', level: 'province' },
  metric: { name: 'Production quantity' },
  unit: { name: 't' },
  hooks: [{ hook: 'crop-of-code', columns: { code: 'crop' } }],
  start_date: { column: 'year', format: 'YYYY' },
  values: 'tonnes',
};

it('a data set of a program is a document, and the functions that it names', async () => {
  const mine = defineDataset(DOCUMENT, new Map([['crop-of-code', cropOfCode]]));
  expect(mine).toMatchObject({ dataset: 'mine', needsFiles: true });
  const { points, entities } = await collect(mine, {
    files: [file('t.csv', 'year,crop,tonnes\n2020,07,3\n')],
  });
  expect(points.map(({ item_id, value }) => [entities.items.get(item_id)!.name, value])).toEqual([
    ['Crop 07', 3],
  ]);
  expect(() => defineDataset(DOCUMENT)).toThrow('"crop-of-code" is not a hook; the hooks are ');
  const lacking = { ...DOCUMENT, hooks: [{ hook: 'crop-of-code', columns: {} }] };
  expect(() => defineDataset(lacking, new Map([['crop-of-code', cropOfCode]]))).toThrow(
    'hooks.crop-of-code needs a column for "code"',
  );
});
