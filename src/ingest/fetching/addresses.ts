/**
 * Where the agencies keep their files. Addresses can change: this is the only place that has them.
 *
 * Last compared on ADDRESSES_DATE with what public programs download that say when they last did so:
 * - NASS: directory https://www.nass.usda.gov/datasets/ with `qs.crops_20260821.txt.gz`, `qs.environmental_20260919.txt.gz`
 *   and `qs.census2022.txt.gz`; a new name each night, without one for the newest.
 * - FAOSTAT: catalogue `datasets_E.json` with `DatasetCode` and `FileLocation`, used by Our World in Data's ETL too.
 * - GHCN-Daily: the readme of https://www.ncei.noaa.gov/pub/data/ghcn/daily/.
 * - WASDE: the list of releases at the National Agricultural Library (ESMIS), newest first, ten a page, with XML for most
 *   months since 2010. Names are `wasde0626.xml`, `wasde0526v2.xml` after a correction, and `wasde-05-10-2012.xml`.
 * - PSD: https://apps.fas.usda.gov/psdonline/app/index.html#/app/downloads.
 * - POWER: https://power.larc.nasa.gov/docs/services/api/temporal/daily/.
 * - ECB: `eurofxref-hist.zip` of the reference rates, and the data portal's series with `format=csvdata`.
 * - US Drought Monitor: https://droughtmonitor.unl.edu/DmData/DataDownload/WebServiceInfo.aspx; CSV unless JSON is asked for.
 * - CFTC: the yearly archives of https://www.cftc.gov/MarketReports/CommitmentsofTraders/HistoricalCompressed/index.htm,
 *   `deahistfo_2003.zip` until 2003 and `deahistfo2004.zip` from then on; disaggregated ones a year from 2010.
 */
export const ADDRESSES = {
  nassFolder: 'https://www.nass.usda.gov/datasets/',
  faostatCatalogue: 'https://bulks-faostat.fao.org/production/datasets_E.json',
  ghcndFolder: 'https://www.ncei.noaa.gov/pub/data/ghcn/daily/',
  wasdeReleases: 'https://esmis.nal.usda.gov/publication/world-agricultural-supply-and-demand-estimates',
  psdFolder: 'https://apps.fas.usda.gov/psdonline/downloads/',
  ecbReferenceRates: 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip',
  ecbSeries: 'https://data-api.ecb.europa.eu/service/data/EXR/',
  usdmService: 'https://usdmdataservices.unl.edu/api/',
  cotFolder: 'https://www.cftc.gov/files/dea/history/',
  powerDaily: 'https://power.larc.nasa.gov/api/temporal/daily/point',
} as const;

/** When the addresses were last compared with their sources. */
export const ADDRESSES_DATE = '2026-11-22';
