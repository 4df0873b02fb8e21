import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import * as z from 'zod';

const names = z.record(z.string(), z.string().min(1));
const code = z.string().regex(/^\d{5}$/);
const year = z.record(z.string().regex(/^\d{4}$/), z.array(z.int().min(0).max(31)).length(12));

/** The form of each table in the code. What its names mean is checked when the table is loaded. */
const TABLES: Readonly<Record<string, z.ZodType>> = {
  'src/ingest/hooks/faostat-vocabulary.json': z.strictObject({
    metrics: z.record(z.string(), z.strictObject({ metric: z.string(), dimension: z.string() })),
    units: names,
    renamedUnits: names,
    items: names,
  }),
  'src/ingest/regions/country-names.json': z.strictObject({
    names: z.record(z.string(), z.int().min(4).max(894)),
    former: z.record(z.string(), z.union([z.string().regex(/^[A-Z]{4}$/), z.int()])),
  }),
  'src/ingest/regions/statistical-groups.json': z.array(
    z.strictObject({
      number: z.int().min(1),
      name: z.string().min(1),
      definition: z.string().endsWith('.'),
      continent: z.enum(['EU', 'AS', 'AF']).optional(),
      aliases: z.array(z.string().min(1)),
    }),
  ),
  'src/ingest/usda/calendar.json': z.strictObject({
    firstMonths: z.record(z.string().regex(/^([1-9]|1[0-2])$/), z.array(z.string().min(1))),
    releaseDays: year,
  }),
  'src/ingest/usda/psd-years.json': z.array(
    z.strictObject({
      commodities: z.string().startsWith('^'),
      trade: z.string().regex(/^([1-9]|1[0-2])\+?$/),
      local: z.record(z.string().regex(/^[A-Z]\w$/), z.string().regex(/^([1-9]|1[0-2])\+?$/)),
    }),
  ),
  'src/ingest/vocabulary/bounds.json': z.strictObject({
    parts: z.array(z.string()),
    amounts: z.array(z.string()),
  }),
  'reference/other-counties.json': z.array(
    z.strictObject({
      code,
      name: z.string().min(1),
      suffix: z.string().optional(),
      former: z.literal(true).optional(),
      sameLand: code.optional(),
      note: z.string().min(1),
    }),
  ),
  'reference/subdivision-codes.json': z.strictObject({
    sameAsCountry: z.record(z.string().regex(/^[A-Z]{2}-\w+$/), z.string().regex(/^[A-Z]{2}$/)),
    kinds: z.record(z.string().regex(/^[A-Z]{2}-\w+$/), z.string()),
  }),
};

it.each(Object.entries(TABLES))('%s has its form', (path, form) => {
  expect(form.safeParse(JSON.parse(readFileSync(path, 'utf8'))).error?.issues ?? []).toEqual([]);
});
