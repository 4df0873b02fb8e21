import { cdo } from './cdo/cdo.js';
import { csv } from './csv/csv.js';
import { demo } from './demo/demo.js';
import { faostat } from './faostat/faostat.js';
import { ghcnd } from './ghcnd/ghcnd.js';
import type { Importer } from './importer.js';
import { nass } from './nass/nass.js';
import { power } from './power/power.js';
import { psd } from './psd/psd.js';
import { wasde } from './wasde/wasde.js';

/** Every data set that can be imported, by its word on the command line. */
export const IMPORTERS: ReadonlyMap<string, Importer> = new Map(
  [demo, nass, wasde, psd, faostat, ghcnd, cdo, power, csv].map((importer) => [importer.dataset, importer]),
);
