import { cdo } from './cdo/cdo.js';
import { conab } from './conab/conab.js';
import { cot } from './cot/cot.js';
import { csv } from './csv/csv.js';
import { DATASET_NAMES, type DatasetName } from './dataset-names.js';
import { demo } from './demo/demo.js';
import { ecb } from './ecb/ecb.js';
import { faostat } from './faostat/faostat.js';
import { ghcnd } from './ghcnd/ghcnd.js';
import type { Importer } from './importer.js';
import { nass } from './nass/nass.js';
import { power } from './power/power.js';
import { psd } from './psd/psd.js';
import { openInput } from './reading/input-files.js';
import { usdm } from './usdm/usdm.js';
import { wasde } from './wasde/wasde.js';

const IMPORTER_OF: Readonly<Record<DatasetName, Importer>> = {
  demo,
  nass,
  wasde,
  psd,
  faostat,
  ghcnd,
  cdo,
  power,
  ecb,
  usdm,
  cot,
  conab,
  csv,
};

/** The importer of every data set, by name. */
export const IMPORTERS: ReadonlyMap<string, Importer> = new Map(
  DATASET_NAMES.map((name) => [name, IMPORTER_OF[name]]),
);

/** The data sets that a file may belong to, by the first chunk of its texts; none when the file cannot be read. */
export async function recogniseDatasets(file: string): Promise<string[]> {
  const found = new Set<string>();
  try {
    for await (const { chunks } of openInput(file, { dataset: 'any', onBytes: () => {} })) {
      for await (const chunk of chunks) {
        const beginning = new TextDecoder().decode(chunk);
        for (const { dataset, recognises } of IMPORTERS.values())
          if (recognises?.(beginning)) found.add(dataset);
        break;
      }
    }
  } catch {
    return [...found];
  }
  return [...found];
}
