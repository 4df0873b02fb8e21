import type { NewEntity } from '../../store/store.js';

const US_GOVERNMENT = 'Public domain (work of the United States government)';

/** The sources of the importers; ids never change. */
export const SOURCES = {
  nassSurvey: {
    id: 1,
    name: 'USDA NASS Survey',
    longName: 'USDA National Agricultural Statistics Service, Quick Stats, survey programme',
    licence: US_GOVERNMENT,
    citation: 'USDA National Agricultural Statistics Service, Quick Stats database (survey)',
    url: 'https://quickstats.nass.usda.gov/',
    aliases: ['Quick Stats', 'NASS Quick Stats', 'National Agricultural Statistics Service'],
  },
  nassCensus: {
    id: 2,
    name: 'USDA NASS Census',
    longName: 'USDA National Agricultural Statistics Service, Quick Stats, Census of Agriculture',
    licence: US_GOVERNMENT,
    citation: 'USDA National Agricultural Statistics Service, Quick Stats database (Census of Agriculture)',
    url: 'https://www.nass.usda.gov/AgCensus/',
    aliases: ['Census of Agriculture', 'Agricultural Census', 'Quick Stats (census)'],
  },
  psd: {
    id: 3,
    name: 'USDA PSD',
    longName: 'USDA Foreign Agricultural Service, Production, Supply and Distribution Online',
    licence: US_GOVERNMENT,
    citation: 'USDA Foreign Agricultural Service, Production, Supply and Distribution (PSD) Online',
    url: 'https://apps.fas.usda.gov/psdonline/',
    aliases: [
      'PSD',
      'PSD Online',
      'Production, Supply and Distribution',
      'USDA FAS',
      'Foreign Agricultural Service',
    ],
  },
  wasde: {
    id: 4,
    name: 'USDA WASDE',
    longName: 'USDA World Agricultural Supply and Demand Estimates, monthly report',
    licence: US_GOVERNMENT,
    citation: 'USDA Office of the Chief Economist, World Agricultural Supply and Demand Estimates',
    url: 'https://www.usda.gov/oce/commodity/wasde',
    aliases: ['WASDE', 'World Agricultural Supply and Demand Estimates'],
  },
  faostat: {
    id: 5,
    name: 'FAOSTAT',
    longName: 'Food and Agriculture Organization of the United Nations, FAOSTAT',
    licence: "FAO's terms of use for statistical databases",
    citation: 'FAO, FAOSTAT statistical database',
    url: 'https://www.fao.org/faostat/',
    aliases: [
      'FAO',
      'Food and Agriculture Organization',
      'Food and Agriculture Organization of the United Nations',
    ],
  },
  ghcnDaily: {
    id: 6,
    name: 'NOAA GHCN-Daily',
    longName:
      'NOAA National Centers for Environmental Information, Global Historical Climatology Network daily',
    licence: US_GOVERNMENT,
    citation:
      'Menne, M. J. et al. (2012): Global Historical Climatology Network - Daily (GHCN-Daily), Version 3. NOAA National Centers for Environmental Information, doi:10.7289/V5D21VHZ',
    url: 'https://www.ncei.noaa.gov/products/land-based-station/global-historical-climatology-network-daily',
    aliases: ['GHCN', 'GHCN-D', 'GHCND', 'Global Historical Climatology Network daily', 'NOAA NCEI'],
  },
  climateDataOnline: {
    id: 7,
    name: 'NOAA CDO Daily Summaries',
    longName: 'NOAA National Centers for Environmental Information, Climate Data Online, daily summaries',
    licence: US_GOVERNMENT,
    citation: 'NOAA National Centers for Environmental Information, Climate Data Online: daily summaries',
    url: 'https://www.ncei.noaa.gov/cdo-web/',
    aliases: ['CDO', 'Climate Data Online', 'NOAA daily summaries'],
  },
  nasaPower: {
    id: 8,
    name: 'NASA POWER',
    longName: 'NASA Langley Research Center, Prediction of Worldwide Energy Resources (POWER), daily point',
    licence: US_GOVERNMENT,
    citation: 'NASA Langley Research Center (LaRC) POWER Project, daily data',
    url: 'https://power.larc.nasa.gov/',
    aliases: ['POWER', 'Prediction of Worldwide Energy Resources', 'NASA Langley Research Center'],
  },
  ecb: {
    id: 9,
    name: 'European Central Bank',
    longName: 'European Central Bank, exchange rates of the euro',
    licence: 'Free to use with the source named (ECB statistics)',
    citation: 'European Central Bank, euro foreign exchange reference rates',
    url: 'https://data.ecb.europa.eu/data/datasets/EXR',
    aliases: ['ECB'],
  },
  droughtMonitor: {
    id: 10,
    name: 'US Drought Monitor',
    longName: 'US Drought Monitor, comprehensive statistics',
    licence: 'Free to use with the source named (National Drought Mitigation Center)',
    citation:
      'US Drought Monitor, jointly produced by the National Drought Mitigation Center at the University of Nebraska-Lincoln, the United States Department of Agriculture and the National Oceanic and Atmospheric Administration',
    url: 'https://droughtmonitor.unl.edu/',
    aliases: ['USDM', 'Drought Monitor', 'National Drought Mitigation Center', 'NDMC'],
  },
  cotLegacyFutures: cotSource(11, 'legacy', 'futures only'),
  cotLegacyCombined: cotSource(12, 'legacy', 'futures and options combined'),
  cotDisaggregatedFutures: cotSource(13, 'disaggregated', 'futures only'),
  cotDisaggregatedCombined: cotSource(14, 'disaggregated', 'futures and options combined'),
  conab: {
    id: 15,
    name: 'CONAB grains',
    longName: 'Companhia Nacional de Abastecimento (Brazil), historical series of grains',
    licence: "CONAB's terms of use",
    citation: 'Companhia Nacional de Abastecimento (CONAB), Série histórica das safras',
    url: 'https://portaldeinformacoes.conab.gov.br/safra-serie-historica-graos.html',
    aliases: ['CONAB', 'Companhia Nacional de Abastecimento'],
  },
  vegaWeather: {
    id: 20,
    name: 'NOAA daily weather (vega-datasets)',
    longName:
      'NOAA daily summaries of Seattle and New York, 2012–2015, as the package vega-datasets carries them',
    licence: US_GOVERNMENT,
    citation: 'NOAA Climate Data Online (GHCN-Daily), by way of vega-datasets, weather.csv',
    url: 'https://github.com/vega/vega-datasets',
  },
  playfairWheat: {
    id: 21,
    name: 'Playfair wheat and wages',
    longName:
      'William Playfair, price of the quarter of wheat and weekly wages, 1565–1821, as vega-datasets carries it',
    licence: 'Public domain',
    citation:
      'W. Playfair (1821): Chart shewing at one view the price of the quarter of wheat and wages of labour by the week, from 1565 to 1821; by way of vega-datasets, wheat.json',
    url: 'https://github.com/vega/vega-datasets',
  },
  nassCornStates: {
    id: 22,
    name: 'USDA NASS corn by state (agridat)',
    longName:
      'USDA NASS Quick Stats, corn area harvested and yield by state, as the R package agridat carries it',
    licence: `${US_GOVERNMENT}; agridat is MIT`,
    citation:
      'USDA National Agricultural Statistics Service, Quick Stats; by way of K. Wright, agridat: nass.corn',
    url: 'https://kwstat.github.io/agridat/reference/nass.corn.html',
  },
} as const satisfies Readonly<Record<string, NewEntity<'sources'>>>;

/** A report of the Commitments of Traders. */
function cotSource(id: number, report: string, positions: string): NewEntity<'sources'> {
  return {
    id,
    name: `CFTC COT ${report}, ${positions.includes('options') ? 'combined' : 'futures'}`,
    longName: `Commodity Futures Trading Commission, Commitments of Traders, ${report} report, ${positions}`,
    licence: US_GOVERNMENT,
    citation: `US Commodity Futures Trading Commission, Commitments of Traders (${report} report, ${positions})`,
    url: 'https://www.cftc.gov/MarketReports/CommitmentsofTraders/index.htm',
    aliases: [`COT ${report} ${positions.replace(' combined', '')}`],
  };
}
