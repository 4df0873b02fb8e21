import { expect, test } from 'vitest';
import type { PointColumns } from '../../../src/columns/point-columns.js';
import type { SeriesBlock } from '../../../src/contract/shapes.js';
import {
  BlockChecksum,
  bytesChecksum,
  pointsChecksum,
  pointsCrc32,
  textChecksum,
} from '../../../src/contract/stream/checksum.js';
import { portableCrc32 } from '../../../src/contract/stream/crc32.js';

const POINTS: PointColumns = {
  length: 3,
  series: Uint32Array.of(0, 1, 2),
  start_date: BigInt64Array.of(0n, 86_400_000n, -1n),
  end_date: BigInt64Array.of(1n, 86_400_001n, 5n),
  value: Float64Array.of(1.5, -2, 0),
  value_valid: null,
  unit_id: Int32Array.of(7, 0, 9),
  reporting_date: BigInt64Array.of(3n, 4n, 5n),
  reporting_valid: null,
};
const WHOLE: PointColumns = {
  ...POINTS,
  value_valid: Uint8Array.of(0b011),
  reporting_valid: Uint8Array.of(0b110),
  available_date: BigInt64Array.of(8n, 9n, 10n),
  metadata: ['{"é":1}', null, ''],
};

/** Columns that differ in one thing each, which a checksum must not take for the same. */
const DIFFERENT: readonly PointColumns[] = [
  POINTS,
  WHOLE,
  { ...WHOLE, series: Uint32Array.of(0, 1, 3) },
  { ...WHOLE, value: Float64Array.of(1.5, -2, -0) },
  { ...WHOLE, value_valid: Uint8Array.of(0b101) },
  { ...WHOLE, value_valid: null },
  { ...WHOLE, reporting_valid: Uint8Array.of(0b101) },
  { ...WHOLE, reporting_valid: null },
  { ...WHOLE, available_date: BigInt64Array.of(8n, 9n, 11n) },
  { ...WHOLE, available_date: undefined },
  { ...WHOLE, metadata: ['{"é":1}', '', null] },
  { ...WHOLE, metadata: ['{"é":1', '}', ''] },
  { ...WHOLE, metadata: undefined },
];

test.each([
  ['FNV', pointsChecksum],
  ['CRC-32', pointsCrc32],
])('the %s checksum of points tells any change', (_, checksum) => {
  expect(new Set(DIFFERENT.map(checksum)).size).toBe(DIFFERENT.length);
});

test.each([
  ['FNV', pointsChecksum],
  ['CRC-32', pointsCrc32],
])('the %s checksum of points is of their rows alone', (_, checksum) => {
  const allValid = { ...POINTS, value_valid: Uint8Array.of(0b111), reporting_valid: Uint8Array.of(0b1111) };
  expect(checksum(allValid)).toBe(checksum(POINTS));
  expect(checksum({ ...WHOLE, value_valid: Uint8Array.of(0b1111_1011) })).toBe(checksum(WHOLE));
  const [longer, dates] = [Float64Array.of(...POINTS.value, 8), BigInt64Array.of(...POINTS.start_date, 8n)];
  expect(checksum({ ...POINTS, value: longer, start_date: dates })).toBe(checksum(POINTS));
});

test('the CRC-32 is that of the bytes of the columns, their bitmaps and remarks', () => {
  const { series, unit_id, start_date, end_date, value, reporting_date, available_date } = WHOLE;
  const pieces = [series, unit_id, start_date, end_date, value, reporting_date, available_date!].map(
    ({ buffer }) => new Uint8Array(buffer),
  );
  const json = new TextEncoder().encode('["{\\"é\\":1}",null,""]');
  const bytes = Uint8Array.from(
    [...pieces, Uint8Array.of(0b011), Uint8Array.of(0b110), json].flatMap((piece) => [...piece]),
  );
  expect(pointsCrc32(WHOLE)).toBe(portableCrc32(bytes));
  const none: PointColumns = { ...POINTS, length: 0, metadata: [] };
  expect(pointsCrc32(none)).toBe(0);
});

test('checksums are those that other versions send', () => {
  expect([textChecksum(''), textChecksum('a'), textChecksum('foobar')]).toEqual([
    0x811c9dc5, 0xe40c292c, 0xbf9cf968,
  ]);
  expect([pointsChecksum(POINTS), pointsChecksum(WHOLE)]).toEqual([3_505_541_621, 329_647_296]);
  expect([bytesChecksum(new Uint8Array(0)), bytesChecksum(Uint8Array.of(1, 2, 3))]).toEqual([
    0x811c9dc5, 1_046_159_132,
  ]);
});

test('the checksum of a block covers the ids and flags of its series and its points', () => {
  const series = (more: object): SeriesBlock['series'] => ({
    metricId: 1,
    itemId: 2,
    regionId: 3,
    partnerRegionId: 0,
    frequencyId: 9,
    sourceId: 5,
    ...more,
  });
  const sum = (more: object, points: readonly string[] = []) => {
    const checksum = new BlockChecksum(series(more));
    for (const point of points) checksum.addPoint(point);
    return checksum.value();
  };
  expect(sum({})).toBe(textChecksum('[1,2,3,0,9,5,null,false,false]'));
  expect(sum({ unitId: 7, metadata: { includesHistoricalRegion: true } })).toBe(
    textChecksum('[1,2,3,0,9,5,7,true,false]'),
  );
  expect(sum({ unitId: 7, metadata: { includesHistoricalPartnerRegion: true } }, ['[1]', '[2]'])).toBe(
    textChecksum('[1,2,3,0,9,5,7,false,true][1][2]'),
  );
});
