import * as v from 'valibot';
import { expect, it } from 'vitest';
import { chartQuery } from '../../../src/contract/requests/chart.js';
import { EMPTY_STATE, pictureQuery } from '../../../src/explorer/state/view-state.js';

it('addresses a picture of a map of changes with parameters that the service reads', () => {
  const dates = { date: '2012-12-31', otherDate: '2011-12-31', change: 'percent' } as const;
  const query = new URLSearchParams(pictureQuery({ ...EMPTY_STATE, ...dates, view: 'map' }));
  expect(v.parse(chartQuery, Object.fromEntries(query))).toMatchObject({
    view: 'map',
    date: '2012-12-31',
    date2: '2011-12-31',
    change: 'percent',
  });
});
