import { expect, test } from 'vitest';
import { align } from '../../../src/frame/combine/align.js';
import { concat } from '../../../src/frame/combine/concat.js';
import { join } from '../../../src/frame/combine/join.js';
import { filter } from '../../../src/frame/verbs/filter.js';
import { resample } from '../../../src/frame/verbs/resample.js';
import { selectSeries } from '../../../src/frame/verbs/select-series.js';
import { withShortNames } from '../../../src/frame/verbs/short-names.js';
import { withColumn } from '../../../src/frame/verbs/with-column.js';
import { ArgumentError } from '../../../src/model/errors.js';
import { annual, daily, longOf, wideOf } from '../verbs.js';

const POINTS = annual(2000, [1]);
const namesOf = (table: ReturnType<typeof wideOf>) => table.schema.fields.map(({ name }) => name);

test('names several kinds where they differ, and a single series by item and region', () => {
  const wide = wideOf(
    [{ item_id: 2 }, POINTS],
    [{ item_id: 4 }, POINTS],
    [{ item_id: 4, region_id: 6 }, POINTS],
  );
  expect(namesOf(withShortNames(wide)).slice(1)).toEqual([
    'Corn · Iowa',
    'Winter "hard" wheat · Iowa',
    'Winter "hard" wheat · Côte d\'Ivoire',
  ]);
  expect(namesOf(withShortNames(wideOf([{}, POINTS]))).slice(1)).toEqual(['Corn · Iowa']);
});

test('two regions of one name are told apart by their ids, and columns of no series keep their names', () => {
  const wide = wideOf([{ region_id: 3 }, POINTS], [{ region_id: 8 }, POINTS]);
  const short = withShortNames(withColumn(wide, 'Iowa', () => 1));
  const names = namesOf(short).slice(1);
  expect(new Set(names).size).toBe(3);
  expect(names[2]).toBe('Iowa');
});

test('join goes on with short names', () => {
  const areas = withShortNames(wideOf([{ metric_id: 2 }, POINTS]));
  const yields = withShortNames(wideOf([{}, POINTS]));
  expect(() => join(areas, yields)).toThrow(ArgumentError);
  expect(namesOf(join(areas, yields, { suffix: ' yield' })).slice(1)).toEqual([
    'Corn · Iowa',
    'Corn · Iowa yield',
  ]);
});

test('verbs keep short names, with the frequency that they make', () => {
  const days = daily('2001-01-01', new Array(31).fill(1));
  const wide = wideOf([{ frequency_id: 1 }, days], [{ frequency_id: 1, region_id: 6 }, days], [{}, POINTS]);
  const places = withShortNames(selectSeries(wide, { frequency_id: 1 }));
  const months = resample(places, { to: 'monthly', how: 'sum' });
  expect(namesOf(months)).toEqual(['end_date', 'Iowa', "Côte d'Ivoire"]);
  expect(months.schema.fields[1]!.metadata.get('frequency_name')).toBe('monthly');
  const mixed = withShortNames(selectSeries(wide, { region_id: 3 }));
  expect(namesOf(mixed).slice(1)).toEqual(['daily', 'annual']);
  const january = filter(mixed, { end_date: '2001-01-31' });
  expect(
    namesOf(resample(selectSeries(january, { frequency_id: 1 }), { to: 'monthly', how: 'sum' })).slice(1),
  ).toEqual(['monthly']);
  expect(namesOf(concat([places, places]))).toEqual(namesOf(places));
  const other = withShortNames(
    wideOf([{ region_id: 3, metric_id: 2 }, days], [{ region_id: 3, item_id: 4 }, POINTS]),
  );
  const clash = withShortNames(selectSeries(wide, { frequency_id: 1, region_id: 3 }));
  expect(namesOf(concat([clash, withShortNames(wideOf([{}, POINTS]))])).slice(1)).toEqual([
    'Yield | Corn | Iowa | World | daily | USDA NASS | t/ha',
    'Yield | Corn | Iowa | World | annual | USDA NASS | t/ha',
  ]);
  expect(namesOf(concat([places, other]))).toEqual([...namesOf(places), ...namesOf(other).slice(1)]);
  expect(align(places, places).map(namesOf)).toEqual([namesOf(places), namesOf(places)]);
});

test('refuses a long frame', () => {
  expect(() => withShortNames(longOf([{}, POINTS]))).toThrow(/table: it is long/);
});
