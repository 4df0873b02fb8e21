import { ADDRESSES, type FetchableFiles, FetchRequestError, type PlannedFile, words } from './requests.js';

/** The daily reference rates, or series by their keys. */
function findRates(request: string): PlannedFile[] {
  return words(request).map((word) => {
    if (word === 'reference') return { address: ADDRESSES.ecbReferenceRates, name: 'eurofxref-hist.zip' };
    if (/^[A-Z](\.[A-Z0-9+]*){4}$/.test(word))
      return { address: `${ADDRESSES.ecbSeries}${word}?format=csvdata`, name: `${word}.csv` };
    throw new FetchRequestError(
      `"${word}" is neither "reference" nor the key of a series, such as M.USD.EUR.SP00.A`,
    );
  });
}

/** The files of documents that are fetched by requests of several kinds, by data set. */
export const DOCUMENT_REQUESTS: ReadonlyMap<string, FetchableFiles> = new Map([
  ['ecb', { takes: 'keys of series, such as M.USD.EUR.SP00.A', byDefault: 'reference', find: findRates }],
]);
