import { readPairs } from '../../vocabulary/text-table.js';

const readNames = (text: string): Readonly<Record<string, string>> => Object.fromEntries(readPairs(text));

/** Canada and its provinces; groups of provinces are not read. */
const PLACES = readNames(`
  Canada = Canada; Newfoundland and Labrador = Newfoundland and Labrador, Canada;
  Prince Edward Island = Prince Edward Island, Canada; Nova Scotia = Nova Scotia, Canada;
  New Brunswick = New Brunswick, Canada; Quebec = Quebec, Canada; Ontario = Ontario, Canada;
  Manitoba = Manitoba, Canada; Saskatchewan = Saskatchewan, Canada; Alberta = Alberta, Canada;
  British Columbia = British Columbia, Canada
`);

/** Crops that have one meaning with an item of ours. */
const CROPS = readNames(`
  Barley = Barley; Beans, all dry (white and coloured) = Beans, dry; Canola (rapeseed) = Canola;
  Corn for grain = Corn; Corn for silage = Corn silage; Oats = Oats; Rye, all = Rye; Soybeans = Soybeans;
  Sugar beets = Sugar beets; Sunflower seed = Sunflower seed; Tame hay = Hay; Wheat, all = Wheat;
  Wheat, durum = Durum wheat; Wheat, spring = Spring wheat; Wheat, winter remaining = Winter wheat
`);

/** The measures in metric units; the table repeats them in acres, bushels and tons. */
const METRICS = readNames(`
  Seeded area (hectares) = Area planted; Harvested area (hectares) = Area harvested;
  Average yield (kilograms per hectare) = Yield; Production (metric tonnes) = Production quantity
`);
const UNITS = readNames(`
  Seeded area (hectares) = ha; Harvested area (hectares) = ha; Average yield (kilograms per hectare) = kg/ha;
  Production (metric tonnes) = t
`);

/** Area, yield and production of principal field crops (table 32-10-0359-01), as the CSV or zip of its page. */
export const STATISTICS_CANADA_CROPS = {
  entry: '32100359.csv',
  source: {
    name: 'Statistics Canada field crops',
    longName:
      'Statistics Canada: Estimated areas, yield and production of principal field crops (32-10-0359-01)',
    licence: 'Statistics Canada Open Licence',
    citation: 'Statistics Canada, table 32-10-0359-01',
    url: 'https://www150.statcan.gc.ca/t1/tbl1/en/tv.action?pid=3210035901',
  },
  only: { SCALAR_FACTOR: 'units' },
  region: { column: 'GEO', names: PLACES },
  item: { column: 'Type of crop', names: CROPS },
  metric: { column: 'Harvest disposition', names: METRICS },
  unit: { column: 'Harvest disposition', names: UNITS },
  start_date: { column: 'REF_DATE', format: 'YYYY' },
  value: 'VALUE',
  flag: 'STATUS',
};
