import { expect, it } from 'vitest';
import { averageFrame } from '../../../src/agronomy/weights/average-frame.js';
import { toRows } from '../../../src/frame/formats/rows.js';
import { PROVENANCE_KEY } from '../../../src/frame/table/provenance.js';
import { PROVENANCE } from '../../frame/points.js';

const average = {
  start_date: BigInt64Array.of(0n, 86_400_000n),
  end_date: BigInt64Array.of(1n, 86_400_001n),
  value: Float64Array.of(5, Number.NaN),
  weight_present: Float64Array.of(0.75, 0),
};
const metadata = new Map([['region_name', 'Iowa, Ohio']]);

it('an average is a frame of one series, with its weights, unit and provenance', () => {
  const table = averageFrame(average, { unit_id: 7, metadata, provenance: PROVENANCE });
  expect(toRows(table)).toEqual([
    {
      start_date: '1970-01-01T00:00:00.000Z',
      end_date: '1970-01-01T00:00:00.001Z',
      value: 5,
      weight_present: 0.75,
      unit_id: 7,
    },
    {
      start_date: '1970-01-02T00:00:00.000Z',
      end_date: '1970-01-02T00:00:00.001Z',
      value: null,
      weight_present: 0,
      unit_id: 7,
    },
  ]);
  expect(table.schema.fields.find(({ name }) => name === 'value')!.metadata).toEqual(metadata);
  expect(JSON.parse(table.schema.metadata.get(PROVENANCE_KEY)!)).toEqual(PROVENANCE);
});

it('an average without a unit has none in any row', () => {
  const rows = toRows(averageFrame(average, { unit_id: 0, metadata, provenance: PROVENANCE }));
  expect(rows.map(({ unit_id }) => unit_id)).toEqual([null, null]);
});
