import fc from 'fast-check';
import { expect, it } from 'vitest';
import { planBatch, type SeriesRequest } from '../../../src/client/points/batch-plan.js';
import { toFlagQuery } from '../../../src/client/query.js';
import { seriesKeyText } from '../../../src/model/series.js';

const flag = fc.constantFrom(undefined, true, false);
const date = fc.constantFrom(undefined, '2020-01-01', '2020-01-02');
const anyRequest: fc.Arbitrary<SeriesRequest> = fc.record({
  metric_id: fc.constantFrom(1, 2),
  item_id: fc.constant(2),
  region_id: fc.integer({ min: 1, max: 4 }),
  partner_region_id: fc.constantFrom(0, 7),
  frequency_id: fc.constant(1),
  source_id: fc.constantFrom(5, 6),
  start_date: fc.constantFrom(undefined, '2019-12-31'),
  end_date: date,
  at_time: date,
  available_since: date,
  ...Object.fromEntries(
    [
      'reporting_history',
      'show_revisions',
      'complete_history',
      'show_available_date',
      'show_metadata',
      'insert_null',
      'include_historical',
    ].map((name) => [name, flag]),
  ),
});

/** What a selection says beside its regions. */
const textOf = (request: SeriesRequest) =>
  `${seriesKeyText({ ...request, region_id: 0 })} ${JSON.stringify(toFlagQuery(request))}`;

it('selects together exactly the series whose requests differ in their region only', () => {
  // Few different requests, many times each.
  const requests = fc
    .array(anyRequest, { minLength: 1, maxLength: 4 })
    .chain((some) => fc.array(fc.tuple(fc.constantFrom(...some), fc.integer({ min: 1, max: 3 }))))
    .map((list) => list.map(([request, region_id]) => ({ ...request, region_id })));
  fc.assert(
    fc.property(requests, (list) => {
      const expected = new Map<string, Map<string, number[]>>();
      list.forEach((request, position) => {
        const ofText = expected.get(textOf(request)) ?? new Map<string, number[]>();
        expected.set(textOf(request), ofText);
        const key = seriesKeyText(request);
        ofText.set(key, [...(ofText.get(key) ?? []), position]);
      });
      const planned = planBatch(list.map((request, position) => ({ position, request })));
      const positions = planned.map(({ requests }) =>
        [...requests].map(([key, same]) => [key, same.map(({ position }) => position)]),
      );
      expect(positions).toEqual([...expected.values()].map((ofText) => [...ofText]));
      for (const { body, requests } of planned) {
        const [[first] = []] = [...requests.values()];
        expect(body).toMatchObject({ ...toFlagQuery(first!.request), metricId: first!.request.metric_id });
        expect(body.regionId).toEqual([...requests.values()].map(([one]) => one!.request.region_id));
      }
    }),
  );
});
