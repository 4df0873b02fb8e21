import { badArgument } from '../../../model/errors.js';
import { readPairs } from '../../vocabulary/text-table.js';

const readNames = (text: string): Readonly<Record<string, string>> => Object.fromEntries(readPairs(text));

/** Eurostat's codes of countries. Those of the European Union and of other groups are not read. */
const EUROSTAT_COUNTRIES = readNames(`
  AL = Albania; AT = Austria; BA = Bosnia and Herzegovina; BE = Belgium; BG = Bulgaria; CH = Switzerland; CY = Cyprus;
  CZ = Czechia; DE = Germany; DK = Denmark; EE = Estonia; EL = Greece; ES = Spain; FI = Finland;
  FR = France; GE = Georgia; HR = Croatia; HU = Hungary; IE = Ireland; IS = Iceland; IT = Italy;
  LI = Liechtenstein; LT = Lithuania; LU = Luxembourg; LV = Latvia; MD = Moldova; ME = Montenegro; MK = North Macedonia;
  MT = Malta; NL = Netherlands; NO = Norway; PL = Poland; PT = Portugal; RO = Romania; RS = Serbia;
  SE = Sweden; SI = Slovenia; SK = Slovakia; TR = Türkiye; UA = Ukraine; UK = United Kingdom; XK = Kosovo
`);

/** Codes of crops that have one meaning with an item of ours; those of mixtures and sums are not read. */
const EUROSTAT_ITEMS = readNames(`
  C0000 = Cereals; C1100 = Wheat; C1120 = Durum wheat; C1210 = Rye; C1300 = Barley;
  C1410 = Oats; C1500 = Corn; C1700 = Sorghum; C2000 = Rice; I1110 = Rapeseed;
  I1120 = Sunflower seed; I1130 = Soybeans; R1000 = Potatoes; R2000 = Sugar beets
`);

/** Measures, by their codes until 2024 and since; the area is the sown one without ruined fields. */
const EUROSTAT_METRICS = readNames(`
  AR = Area harvested; PR_HU_EU = Production quantity; YI_HU_EU = Yield;
  AR_THS_HA = Area harvested; HPRD_HUMD_EU_THS_T = Production quantity; YLD_HUMD_EU_T_HA = Yield
`);
const EUROSTAT_UNITS = readNames(`
  AR = kha; PR_HU_EU = kt; YI_HU_EU = t/ha; AR_THS_HA = kha; HPRD_HUMD_EU_THS_T = kt; YLD_HUMD_EU_T_HA = t/ha
`);

/** Crop production in EU standard humidity (apro_cpsh1), as SDMX-CSV. */
export const EUROSTAT_CROPS = {
  source: {
    name: 'Eurostat crop production',
    longName: 'Eurostat: Crop production in EU standard humidity (apro_cpsh1)',
    licence: 'CC BY 4.0',
    citation: 'Eurostat (online data code: apro_cpsh1)',
    url: 'https://ec.europa.eu/eurostat/databrowser/view/apro_cpsh1/default/table',
  },
  only: { freq: 'A' },
  region: { column: 'geo', level: 'country', names: EUROSTAT_COUNTRIES },
  item: { column: 'crops', names: EUROSTAT_ITEMS },
  metric: { column: 'strucpro', names: EUROSTAT_METRICS },
  unit: { column: 'strucpro', names: EUROSTAT_UNITS },
  start_date: { column: 'TIME_PERIOD', format: 'YYYY' },
  value: 'OBS_VALUE',
  flag: 'OBS_FLAG',
  empty: [':'],
};

/** The same as TSV: a column for each year, and flags after the values. */
export const EUROSTAT_CROPS_TSV = (() => {
  const { value: _, flag: __, ...shared } = EUROSTAT_CROPS;
  return { ...shared, delimiter: '\t', start_date: { header: 'YYYY' }, flag: { after_value: true } };
})();

/** Canada and its provinces; groups of provinces are not read. */
const CANADA_PLACES = readNames(`
  Canada = Canada; Newfoundland and Labrador = Newfoundland and Labrador, Canada;
  Prince Edward Island = Prince Edward Island, Canada; Nova Scotia = Nova Scotia, Canada;
  New Brunswick = New Brunswick, Canada; Quebec = Quebec, Canada; Ontario = Ontario, Canada;
  Manitoba = Manitoba, Canada; Saskatchewan = Saskatchewan, Canada; Alberta = Alberta, Canada;
  British Columbia = British Columbia, Canada
`);

/** Crops that have one meaning with an item of ours. */
const CANADA_CROPS = readNames(`
  Barley = Barley; Beans, all dry (white and coloured) = Beans, dry; Canola (rapeseed) = Canola;
  Corn for grain = Corn; Corn for silage = Corn silage; Oats = Oats; Rye, all = Rye; Soybeans = Soybeans;
  Sugar beets = Sugar beets; Sunflower seed = Sunflower seed; Tame hay = Hay; Wheat, all = Wheat;
  Wheat, durum = Durum wheat; Wheat, spring = Spring wheat; Wheat, winter remaining = Winter wheat
`);

/** The measures in metric units; the table repeats them in acres, bushels and tons. */
const CANADA_METRICS = readNames(`
  Seeded area (hectares) = Area planted; Harvested area (hectares) = Area harvested;
  Average yield (kilograms per hectare) = Yield; Production (metric tonnes) = Production quantity
`);
const CANADA_UNITS = readNames(`
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
  region: { column: 'GEO', names: CANADA_PLACES },
  item: { column: 'Type of crop', names: CANADA_CROPS },
  metric: { column: 'Harvest disposition', names: CANADA_METRICS },
  unit: { column: 'Harvest disposition', names: CANADA_UNITS },
  start_date: { column: 'REF_DATE', format: 'YYYY' },
  value: 'VALUE',
  flag: 'STATUS',
};

/** Codes of the World Bank for groups of countries, and for the Channel Islands together. */
const WORLD_BANK_GROUPS = [
  'AFE AFW ARB CEB CHI CSS EAP EAR EAS ECA ECS EMU EUU FCS HIC HPC IBD IBT IDA IDB IDX INX LAC LCN LDC',
  'LIC LMC LMY LTE MEA MIC MNA NAC OED OSS PRE PSS PST SAS SSA SSF SST TEA TEC TLA TMN TSA TSS UMC WLD',
].flatMap((codes) => codes.split(' '));

const WORLD_BANK_METRICS = readNames(`
  AG.YLD.CREL.KG = Yield; AG.PRD.CREL.MT = Production quantity; AG.LND.CREL.HA = Area harvested
`);
const WORLD_BANK_UNITS = readNames('AG.YLD.CREL.KG = kg/ha; AG.PRD.CREL.MT = t; AG.LND.CREL.HA = ha');

/** The World Development Indicators of cereals, as the CSV of an indicator's page: a column for each year. */
export const WORLD_BANK_CEREALS = {
  entry: 'API_',
  header_line: 5,
  source: {
    name: 'World Bank cereals',
    longName: 'World Bank: World Development Indicators, cereals',
    licence: 'CC BY 4.0',
    citation: 'World Bank, World Development Indicators',
    url: 'https://data.worldbank.org/indicator/AG.YLD.CREL.KG',
  },
  skip: { 'Country Code': WORLD_BANK_GROUPS },
  region: { column: 'Country Code', level: 'country' },
  item: { name: 'Cereals' },
  metric: { column: 'Indicator Code', names: WORLD_BANK_METRICS },
  unit: { column: 'Indicator Code', names: WORLD_BANK_UNITS },
  start_date: { header: 'YYYY' },
};

/** Mappings that ship, by the name that replaces a file's. */
const SHIPPED: ReadonlyMap<string, object> = new Map<string, object>([
  ['eurostat-crops', EUROSTAT_CROPS],
  ['eurostat-crops-tsv', EUROSTAT_CROPS_TSV],
  ['statistics-canada-crops', STATISTICS_CANADA_CROPS],
  ['world-bank-cereals', WORLD_BANK_CEREALS],
]);

export function isShippedMapping(name: string): boolean {
  return SHIPPED.has(name);
}

/** @throws ArgumentError with the names of all, when none has this name */
export function findShippedMapping(name: string): object {
  const mapping = SHIPPED.get(name);
  if (mapping !== undefined) return mapping;
  const names = [...SHIPPED.keys()].join(', ');
  throw badArgument(
    'mapping',
    `there is no file and no mapping "${name}"; the mappings that ship are ${names}`,
  );
}
