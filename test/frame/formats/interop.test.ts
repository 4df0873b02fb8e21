import { desc, fromArrow, op } from 'arquero';
import { expect, it } from 'vitest';
import { longFrame } from '../../../src/frame/build/long.js';
import { toArrowFile, toArrowStream } from '../../../src/frame/formats/arrow.js';
import { NAMES, runsOf, seriesOf } from '../points.js';

/** The interoperability examples of the documentation, run with the tools. */
const frameOf = () =>
  longFrame(
    {
      series: [seriesOf(), seriesOf({ region_id: 6 })],
      runs: runsOf([
        { series: 0, start: '2001-01-01', end: '2001-12-31', value: 1.5 },
        { series: 0, start: '2002-01-01', end: '2002-12-31', value: null },
        { series: 1, start: '2001-01-01', end: '2001-12-31', value: 4 },
      ]),
    },
    { names: NAMES },
  );

it.each([
  ['stream', toArrowStream],
  ['file', toArrowFile],
])('goes to Arquero as an Arrow %s', (_, encode) => {
  const table = fromArrow(encode(frameOf()));
  const means = table
    .groupby('region_id')
    .rollup({ mean: op.mean('value') })
    .orderby(desc('mean'))
    .objects();
  expect(means).toEqual([
    { region_id: 6, mean: 4 },
    { region_id: seriesOf().region_id, mean: 1.5 },
  ]);
});
