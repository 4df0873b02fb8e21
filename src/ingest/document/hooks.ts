import { monthsPeriod } from '../../model/calendar.js';
import { RowError } from '../batch/batch-builder.js';
import { COT_HOOKS } from '../hooks/cot.js';
import { DROUGHT_HOOKS } from '../hooks/drought.js';
import { FAOSTAT_HOOKS } from '../hooks/faostat.js';
import { FAOSTAT_AREA_HOOKS } from '../hooks/faostat-areas.js';
import { nassMeasure } from '../hooks/nass-measures.js';
import { NASS_PERIOD_HOOKS } from '../hooks/nass-periods.js';
import { nassPlace } from '../hooks/nass-places.js';
import { loadCountryNames, resolveRegionName } from '../regions/names.js';
import { psdYear, usdaRelease, usFirstMonth, wasdeRelease } from '../usda/calendar.js';
import { wasdeXml } from '../usda/wasde-xml.js';
import type { Hook } from './hook.js';

export const HOOKS: ReadonlyMap<string, Hook> = new Map(
  Object.entries<Hook>({
    ...COT_HOOKS,
    ...DROUGHT_HOOKS,
    ...FAOSTAT_HOOKS,
    ...FAOSTAT_AREA_HOOKS,
    ...NASS_PERIOD_HOOKS,
    'nass-measure': nassMeasure,
    'nass-place': nassPlace,
    'wasde-xml': { takes: [], answers: [], reader: wasdeXml },
    'wasde-release': wasdeRelease,
    'usda-release': usdaRelease,
    'psd-year': {
      takes: ['market_year', 'commodity', 'country_code', 'attribute'],
      answers: ['start_date'],
      prepare: async () => psdYear,
    },
    'us-marketing-year': {
      takes: ['year', 'item'],
      answers: ['start_date'],
      prepare:
        async () =>
        ({ year = '', item = '' }) => {
          const [, first] = /^(\d{4})\/\d{2,4}\b/.exec(year) ?? [];
          if (first === undefined) throw new RowError(`"${year}" is not a marketing year`);
          return monthsPeriod(Number(first), usFirstMonth(item) ?? 1, 12);
        },
    },
    'country-or-group': {
      takes: ['name'],
      answers: ['region'],
      async prepare({ batch, dataset }) {
        const countries = await loadCountryNames();
        return ({ name = '' }) => {
          if (name === '') throw new RowError('the country has no name');
          return { region_id: resolveRegionName(name, { countries, batch, dataset }) };
        };
      },
    },
  }),
);
