import type { Table } from 'apache-arrow';
import { expect, test } from 'vitest';
import { ArgumentError } from '../../../src/model/errors.js';
import { annual, daily, longOf, wideOf } from '../verbs.js';

const POINTS = annual(2000, [1]);
const namesOf = (table: Table) => table.schema.fields.map(({ name }) => name);

test('names several kinds where they differ, and a single series by item and region', () => {
  const wide = wideOf(
    [{ item_id: 2 }, POINTS],
    [{ item_id: 4 }, POINTS],
    [{ item_id: 4, region_id: 6 }, POINTS],
  );
  expect(namesOf(wide.withShortNames()).slice(1)).toEqual([
    'Corn · Iowa',
    'Winter "hard" wheat · Iowa',
    'Winter "hard" wheat · Côte d\'Ivoire',
  ]);
  expect(namesOf(wideOf([{}, POINTS]).withShortNames()).slice(1)).toEqual(['Corn · Iowa']);
});

test('two regions of one name are told apart by their ids, and columns of no series keep their names', () => {
  const wide = wideOf([{ region_id: 3 }, POINTS], [{ region_id: 8 }, POINTS]);
  const short = wide.withColumn('Iowa', () => 1).withShortNames();
  const names = namesOf(short).slice(1);
  expect(new Set(names).size).toBe(3);
  expect(names[2]).toBe('Iowa');
});

test('join goes on with short names', () => {
  const areas = wideOf([{ metric_id: 2 }, POINTS]).withShortNames();
  const yields = wideOf([{}, POINTS]).withShortNames();
  expect(() => areas.join(yields)).toThrow(ArgumentError);
  expect(namesOf(areas.join(yields, { suffix: ' yield' })).slice(1)).toEqual([
    'Corn · Iowa',
    'Corn · Iowa yield',
  ]);
});

test('verbs keep short names, with the frequency that they make', () => {
  const days = daily('2001-01-01', new Array(31).fill(1));
  const wide = wideOf([{ frequency_id: 1 }, days], [{ frequency_id: 1, region_id: 6 }, days], [{}, POINTS]);
  const places = wide.selectSeries({ frequency_id: 1 }).withShortNames();
  const months = places.resample({ to: 'monthly', how: 'sum' });
  expect(namesOf(months)).toEqual(['end_date', 'Iowa', "Côte d'Ivoire"]);
  expect(months.schema.fields[1]!.metadata.get('frequency_name')).toBe('monthly');
  const mixed = wide.selectSeries({ region_id: 3 }).withShortNames();
  expect(namesOf(mixed).slice(1)).toEqual(['daily', 'annual']);
  const january = mixed.filter({ end_date: '2001-01-31' });
  expect(
    namesOf(january.selectSeries({ frequency_id: 1 }).resample({ to: 'monthly', how: 'sum' })).slice(1),
  ).toEqual(['monthly']);
  expect(namesOf(places.concat(places))).toEqual(namesOf(places));
  const other = wideOf(
    [{ region_id: 3, metric_id: 2 }, days],
    [{ region_id: 3, item_id: 4 }, POINTS],
  ).withShortNames();
  const clash = wide.selectSeries({ frequency_id: 1, region_id: 3 }).withShortNames();
  expect(namesOf(clash.concat(wideOf([{}, POINTS]).withShortNames())).slice(1)).toEqual([
    'Yield | Corn | Iowa | World | daily | USDA NASS | t/ha',
    'Yield | Corn | Iowa | World | annual | USDA NASS | t/ha',
  ]);
  expect(namesOf(places.concat(other))).toEqual([...namesOf(places), ...namesOf(other).slice(1)]);
  expect(places.align(places).map(namesOf)).toEqual([namesOf(places), namesOf(places)]);
});

test('refuses a long frame', () => {
  expect(() => longOf([{}, POINTS]).withShortNames()).toThrow(/table: the frame is long/);
});
