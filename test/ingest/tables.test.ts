import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { expect, it } from 'vitest';

const like = (pattern: RegExp) => v.pipe(v.string(), v.regex(pattern));
const between = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max));
const names = v.record(v.string(), v.pipe(v.string(), v.minLength(1)));
const code = like(/^\d{5}$/);
const year = v.record(like(/^\d{4}$/), v.pipe(v.array(between(0, 31)), v.length(12)));

/** The form of each table in the code. What its names mean is checked when the table is loaded. */
const TABLES: Readonly<Record<string, v.GenericSchema>> = {
  'src/ingest/hooks/faostat-vocabulary.json': v.strictObject({
    metrics: v.record(v.string(), v.strictObject({ metric: v.string(), dimension: v.string() })),
    units: names,
    renamedUnits: names,
    items: names,
  }),
  'src/ingest/regions/country-names.json': v.strictObject({
    names: v.record(v.string(), between(4, 894)),
    former: v.record(v.string(), v.union([like(/^[A-Z]{4}$/), v.pipe(v.number(), v.integer())])),
  }),
  'src/ingest/regions/statistical-groups.json': v.array(
    v.strictObject({
      number: between(1),
      name: v.pipe(v.string(), v.minLength(1)),
      definition: like(/\.$/),
      continent: v.optional(v.picklist(['EU', 'AS', 'AF'])),
      aliases: v.array(v.pipe(v.string(), v.minLength(1))),
    }),
  ),
  'src/ingest/usda/calendar.json': v.strictObject({
    firstMonths: v.record(like(/^([1-9]|1[0-2])$/), v.array(v.pipe(v.string(), v.minLength(1)))),
    releaseDays: year,
  }),
  'src/ingest/usda/psd-years.json': v.array(
    v.strictObject({
      commodities: like(/^\^/),
      trade: like(/^([1-9]|1[0-2])\+?$/),
      local: v.record(like(/^[A-Z]\w$/), like(/^([1-9]|1[0-2])\+?$/)),
    }),
  ),
  'src/ingest/vocabulary/bounds.json': v.strictObject({
    parts: v.array(v.string()),
    amounts: v.array(v.string()),
  }),
  'reference/other-counties.json': v.array(
    v.strictObject({
      code,
      name: v.pipe(v.string(), v.minLength(1)),
      suffix: v.optional(v.string()),
      former: v.optional(v.literal(true)),
      sameLand: v.optional(code),
      note: v.pipe(v.string(), v.minLength(1)),
    }),
  ),
  'reference/subdivision-codes.json': v.strictObject({
    sameAsCountry: v.record(like(/^[A-Z]{2}-\w+$/), like(/^[A-Z]{2}$/)),
    kinds: v.record(like(/^[A-Z]{2}-\w+$/), v.string()),
  }),
};

it.each(Object.entries(TABLES))('%s has its form', (path, form) => {
  expect(v.safeParse(form, JSON.parse(readFileSync(path, 'utf8'))).issues ?? []).toEqual([]);
});
