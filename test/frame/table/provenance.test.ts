import { expect, test } from 'vitest';
import { longFrame } from '../../../src/frame/build/long.js';
import { withChecksum } from '../../../src/frame/table/checksum.js';
import {
  DERIVED_KEY,
  derivationSteps,
  derivedMetadata,
  frameMetadata,
  PROVENANCE_KEY,
  readProvenance,
  withMetadata,
} from '../../../src/frame/table/provenance.js';
import { batchOf, PROVENANCE, seriesOf } from '../points.js';

const tableOf = () =>
  longFrame(
    { series: [seriesOf()], batches: [batchOf([{ series: 0, start: 0, end: 0, value: 1 }])] },
    { provenance: PROVENANCE },
  );

test('invalid provenance is read as null', () => {
  for (const text of ['', '{', 'null', '5', '"x"', '[]', '{"retrieved_at":1}']) {
    const table = withMetadata(
      tableOf(),
      new Map([
        [PROVENANCE_KEY, text],
        [DERIVED_KEY, text],
      ]),
    );
    expect(readProvenance(table)).toBeNull();
    expect(derivationSteps(table)).toEqual([]);
  }
  expect(readProvenance(withMetadata(tableOf(), new Map()))).toBeNull();
});

test('a step is appended, and the old checksum is removed', () => {
  const sealed = withChecksum(tableOf());
  expect([...frameMetadata(sealed).keys()].sort()).toEqual(['cropframe.checksum', 'cropframe.provenance']);
  const once = withMetadata(sealed, derivedMetadata(sealed, 'one'));
  const twice = withMetadata(once, derivedMetadata(once, 'two'));
  expect(derivationSteps(twice)).toEqual(['one', 'two']);
  expect([...frameMetadata(twice).keys()].sort()).toEqual(['cropframe.derived', 'cropframe.provenance']);
  expect(readProvenance(twice)).toEqual(PROVENANCE);
});

test('keys of other software are not passed on', () => {
  const table = withMetadata(
    tableOf(),
    new Map([
      ['pandas', '{}'],
      [PROVENANCE_KEY, '{}'],
    ]),
  );
  expect([...frameMetadata(table).keys()]).toEqual([PROVENANCE_KEY]);
});
