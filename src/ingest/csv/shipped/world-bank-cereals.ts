/** Codes of the World Bank for groups of countries, and for the Channel Islands together. */
const GROUPS = [
  'AFE AFW ARB CEB CHI CSS EAP EAR EAS ECA ECS EMU EUU FCS HIC HPC IBD IBT IDA IDB IDX INX LAC LCN LDC',
  'LIC LMC LMY LTE MEA MIC MNA NAC OED OSS PRE PSS PST SAS SSA SSF SST TEA TEC TLA TMN TSA TSS UMC WLD',
].flatMap((codes) => codes.split(' '));

const METRICS = {
  'AG.YLD.CREL.KG': 'Yield',
  'AG.PRD.CREL.MT': 'Production quantity',
  'AG.LND.CREL.HA': 'Area harvested',
};

const UNITS = {
  'AG.YLD.CREL.KG': 'kg/ha',
  'AG.PRD.CREL.MT': 't',
  'AG.LND.CREL.HA': 'ha',
};

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
  skip: { 'Country Code': GROUPS },
  region: { column: 'Country Code', level: 'country' },
  item: { name: 'Cereals' },
  metric: { column: 'Indicator Code', names: METRICS },
  unit: { column: 'Indicator Code', names: UNITS },
  start_date: { header: 'YYYY' },
};
