import { demo } from './demo/demo.js';
import type { Importer } from './importer.js';
import { nass } from './nass/nass.js';

/** Every data set that can be imported, by its word on the command line. */
export const IMPORTERS: ReadonlyMap<string, Importer> = new Map(
  [demo, nass].map((importer) => [importer.dataset, importer]),
);
