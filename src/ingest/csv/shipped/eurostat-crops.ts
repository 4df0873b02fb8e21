import { listed } from '../../vocabulary/text-table.js';

/** Codes, each with its name. */
const readNames = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(listed(text).map((pair) => pair.split(/ (.*)/)));

/** Eurostat's codes of countries. Those of the European Union and of other groups are not read. */
const COUNTRIES = readNames(`
  AL Albania; AT Austria; BA Bosnia and Herzegovina; BE Belgium; BG Bulgaria; CH Switzerland; CY Cyprus;
  CZ Czechia; DE Germany; DK Denmark; EE Estonia; EL Greece; ES Spain; FI Finland;
  FR France; GE Georgia; HR Croatia; HU Hungary; IE Ireland; IS Iceland; IT Italy;
  LI Liechtenstein; LT Lithuania; LU Luxembourg; LV Latvia; MD Moldova; ME Montenegro; MK North Macedonia;
  MT Malta; NL Netherlands; NO Norway; PL Poland; PT Portugal; RO Romania; RS Serbia;
  SE Sweden; SI Slovenia; SK Slovakia; TR Türkiye; UA Ukraine; UK United Kingdom; XK Kosovo
`);

/** Codes of crops that have one meaning with an item of ours; those of mixtures and sums are not read. */
const CROPS = readNames(`
  C0000 Cereals; C1100 Wheat; C1120 Durum wheat; C1210 Rye; C1300 Barley;
  C1410 Oats; C1500 Corn; C1700 Sorghum; C2000 Rice; I1110 Rapeseed;
  I1120 Sunflower seed; I1130 Soybeans; R1000 Potatoes; R2000 Sugar beets
`);

/** Measures, by their codes until 2024 and since; the area is the sown one without ruined fields. */
const METRICS = {
  AR: 'Area harvested',
  PR_HU_EU: 'Production quantity',
  YI_HU_EU: 'Yield',
  AR_THS_HA: 'Area harvested',
  HPRD_HUMD_EU_THS_T: 'Production quantity',
  YLD_HUMD_EU_T_HA: 'Yield',
};

const UNITS = {
  AR: 'kha',
  PR_HU_EU: 'kt',
  YI_HU_EU: 't/ha',
  AR_THS_HA: 'kha',
  HPRD_HUMD_EU_THS_T: 'kt',
  YLD_HUMD_EU_T_HA: 't/ha',
};

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
  region: { column: 'geo', level: 'country', names: COUNTRIES },
  item: { column: 'crops', names: CROPS },
  metric: { column: 'strucpro', names: METRICS },
  unit: { column: 'strucpro', names: UNITS },
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
