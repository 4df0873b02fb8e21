import { expect, it } from 'vitest';
import { defineDataset } from '../../../src/ingest/document/define-dataset.js';
import { temporaryFiles } from '../../temporary-files.js';
import { collect } from '../collect.js';
import { COMMON_KEYS } from './common-keys.js';

const { file } = temporaryFiles();

async function read(keys: object, lines: readonly string[], settings?: Record<string, string>) {
  const document = { ...COMMON_KEYS, ...keys };
  const files = [file('table.csv', `${lines.join('\n')}\n`)];
  const { points, notRead } = await collect(defineDataset(document), { files, settings });
  return { figures: points.map(({ value, metadata }) => [value, metadata]), notRead: [...notRead] };
}

it('are several columns by name, numbers or texts, and cells in place of figures', async () => {
  const keys = {
    thousands: ',',
    remarks: {
      code: { cell: '^\\([A-Z]+\\)$' },
      percent: { column: 'cv', number: true },
      source: 'source',
    },
  };
  const lines = ['year,v,cv,source', '2020,"1,200",2.10,', '2021,(D),(L),x', '2022,5,,'];
  expect((await read(keys, lines)).figures).toEqual([
    [1200, { percent: 2.1 }],
    [null, { code: '(D)', percent: '(L)', source: 'x' }],
    [5, null],
  ]);
});

const WITHHELD = {
  settings: { flagged: { description: 'suspect figures', words: ['null', 'keep'], default: 'null' } },
  remarks: { quality: 'q' },
  withhold: { column: 'q', when: { flagged: ['null'] } },
  divide_by: 10,
};

it('withhold the figures beside them, unless a setting keeps those', async () => {
  const lines = ['year,v,q', '2020,15,', '2021,25,X', '2022,-999999,X'];
  const withheld = [
    [1.5, null],
    [null, { quality: 'X', withheld: 2.5 }],
    [null, { quality: 'X', withheld: -99_999.9 }],
  ];
  expect((await read(WITHHELD, lines)).figures).toEqual(withheld);
  expect((await read(WITHHELD, lines.slice(0, 3), { flagged: 'keep' })).figures).toEqual([
    [1.5, null],
    [2.5, { quality: 'X' }],
  ]);
});

it('are in the columns directly behind each column of figures, which hold no figures', async () => {
  const keys = {
    values: [{ columns: '^(?<crop>Corn|Soybeans|Oats)$', item: 'crop' }],
    beside: { quality: '^QC$', note: '^Note$' },
    remarks: { quality: 'quality', note: 'note' },
    other_columns: { ignore: '^(Other )?QC$' },
  };
  const lines = ['year,Corn,QC,Note,Oats,Soybeans,Note,Other,Other QC', '2020,1,a,b,2,3,c,4,d'];
  const { figures, notRead } = await read(keys, lines);
  expect(figures.sort()).toEqual([
    [1, { quality: 'a', note: 'b' }],
    [2, null],
    [3, { note: 'c' }],
  ]);
  expect(notRead).toEqual([['Other', 1]]);
});

it('make a null value of an empty cell, unless the document says that such cells are no point', async () => {
  const lines = ['year,v,flag', '2020,,x', '2021,1,'];
  expect((await read({ flag: 'flag' }, lines)).figures).toEqual([
    [null, { flag: 'x' }],
    [1, null],
  ]);
  const { figures, notRead } = await read({ flag: 'flag', missing: { '': 'no point' } }, lines);
  expect([figures, notRead]).toEqual([[[1, null]], [['empty cells', 1]]]);
});
