import type { Table } from 'apache-arrow';
import { expectTypeOf, test } from 'vitest';
import type { Client } from '../../../src/create-client.js';
import { longFrame } from '../../../src/frame/build/long.js';
import { wideFrame } from '../../../src/frame/build/wide.js';
import { align } from '../../../src/frame/combine/align.js';
import type { LongFrame, WideFrame } from '../../../src/frame/table/frame-types.js';
import { anomaly } from '../../../src/frame/verbs/anomaly.js';
import { selectSeries } from '../../../src/frame/verbs/select-series.js';
import { NAMES, runsOf, seriesOf } from '../points.js';

const POINTS = {
  series: [seriesOf()],
  runs: runsOf([{ series: 0, start: '2013-01-01', end: '2013-12-31', value: 1.5 }]),
};
const longOf = () => longFrame(POINTS, { names: NAMES, show_available_date: true, show_metadata: true });
const wideOf = () => wideFrame(POINTS, { names: NAMES });

test('verbs keep the type of a frame', () => {
  const [long, wide] = [longOf(), wideOf()];
  expectTypeOf(anomaly(long)).toEqualTypeOf<LongFrame>();
  expectTypeOf(selectSeries(wide, {})).toEqualTypeOf<WideFrame>();
  expectTypeOf(align(long, wide)).toEqualTypeOf<[WideFrame, WideFrame]>();
  expectTypeOf(anomaly(long as Table)).toEqualTypeOf<Table>();
  expectTypeOf<Table>().toExtend<LongFrame>();
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
