import { importDataset } from '../../src/ingest/import-dataset.js';
import { usCountyRegionId } from '../../src/ingest/regions/ids.js';
import { itemId, metricId, SOURCES } from '../../src/ingest/vocabulary/entities.js';
import { unitId } from '../../src/ingest/vocabulary/units.js';
import { dayPeriod, yearsPeriod } from '../../src/model/calendar.js';
import { frequencyId } from '../../src/model/frequency.js';
import { DAY_MS } from '../../src/model/time.js';
import type { Store } from '../../src/store/store.js';
import { madeUpPoints } from '../ingest/made-up-points.js';
import { copyFilledStore } from '../store-templates.js';

/** A county of Wisconsin. The state Iowa, which "Iowa" names, has no data in this store. */
export const IOWA_COUNTY = usCountyRegionId(55049);
const GRANT_COUNTY = usCountyRegionId(55043);

const START_MS = Date.UTC(2015, 4, 1);

/** Counties alone: corn of two counties in 2002 and 2003, and ten days of temperatures in May 2015. */
const counties = madeUpPoints([SOURCES.nassCornStates], (points, importedMs) => {
  for (const [at, region_id] of [IOWA_COUNTY, GRANT_COUNTY].entries()) {
    const key = { region_id, partner_region_id: 0, source_id: SOURCES.nassCornStates.id };
    const rest = { reportingMs: null, availableMs: importedMs };
    const corn = { ...key, item_id: itemId('Corn'), frequency_id: frequencyId('annual') };
    for (const year of [2002, 2003]) {
      const period = { ...yearsPeriod(year), ...rest };
      const value = 1000 * (at + 1);
      points.add(
        { ...corn, metric_id: metricId('Area harvested') },
        { ...period, value, unitId: unitId('ac') },
      );
      points.add(
        { ...corn, metric_id: metricId('Yield') },
        { ...period, value: 100, unitId: unitId('bu/ac (corn)') },
      );
    }
    const heat = { ...key, metric_id: metricId('Temperature'), frequency_id: frequencyId('daily') };
    for (let day = 0; day < 10; day++) {
      const period = { ...dayPeriod(START_MS + day * DAY_MS), unitId: unitId('°C'), ...rest };
      points.add({ ...heat, item_id: itemId('Temperature min') }, { ...period, value: 10 });
      points.add({ ...heat, item_id: itemId('Temperature max') }, { ...period, value: 20 });
    }
  }
});

export const fillWithCounties = Object.assign((store: Store) => importDataset(store, counties), {
  template: 'counties',
});

/** Creates a store of counties at `path`. */
export function createCountyStore(path: string): Promise<void> {
  return copyFilledStore(fillWithCounties.template, path, fillWithCounties);
}
