import { expectTypeOf, test } from 'vitest';
import type { Client } from '../../../src/create-client.js';
import { longFrame } from '../../../src/frame/build/long.js';
import { wideFrame } from '../../../src/frame/build/wide.js';
import type { LongFrame, WideFrame } from '../../../src/frame/frame.js';
import { NAMES, runsOf, seriesOf } from '../points.js';

const POINTS = {
  series: [seriesOf()],
  runs: runsOf([{ series: 0, start: '2013-01-01', end: '2013-12-31', value: 1.5 }]),
};
const longOf = () => longFrame(POINTS, { names: NAMES, show_available_date: true, show_metadata: true });
const wideOf = () => wideFrame(POINTS, { names: NAMES });

test('verbs keep the type of a frame', () => {
  const [long, wide] = [longOf(), wideOf()];
  expectTypeOf(long.anomaly()).toEqualTypeOf<LongFrame>();
  expectTypeOf(wide.selectSeries({})).toEqualTypeOf<WideFrame>();
  expectTypeOf(long.align(wide)).toEqualTypeOf<[WideFrame, WideFrame]>();
});

test("the type of getDf's frame follows from its options", () => {
  const long = (client: Client) => client.getDf({ reporting_history: true });
  expectTypeOf(long).returns.toEqualTypeOf<Promise<LongFrame>>();
  const wide = (client: Client) => client.getDf({ compress_format: true, format: 'arrow' });
  expectTypeOf(wide).returns.toEqualTypeOf<Promise<WideFrame>>();
  const either = (client: Client, compress_format: boolean) => client.getDf({ compress_format });
  expectTypeOf(either).returns.toEqualTypeOf<Promise<LongFrame | WideFrame>>();
  const table = (client: Client) => client.getDataPointsTable({} as never);
  expectTypeOf(table).returns.toEqualTypeOf<Promise<LongFrame>>();
});
