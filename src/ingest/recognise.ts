import { IMPORTERS } from './datasets.js';
import { openInput } from './reading/input-files.js';

/** The data sets that a file seems to be of, judged by how its texts begin; none when it cannot be read. */
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
