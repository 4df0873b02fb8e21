import { badArgument } from '../model/errors.js';
import { getOrCompute } from '../model/grouping.js';
import type { DatasetAsked } from '../model/importing/job.js';
import { adviceOnDocument, DOCUMENT_NAMES } from './document/documents.js';
import type { Importer } from './importer.js';

/** Importers for the documents that ship with the package. Each document is parsed only once. */
const documents = new Map<string, Promise<Importer>>();
const loadDocument = (name: string): Promise<Importer> =>
  getOrCompute(documents, name, async () =>
    (await import('./document/define-dataset.js')).documentImporter(name),
  );

export const DATASETS: readonly string[] = DOCUMENT_NAMES;

export async function findImporter(dataset: string): Promise<Importer | undefined> {
  return DOCUMENT_NAMES.includes(dataset) ? loadDocument(dataset) : undefined;
}

/** Returns the importer for a data set's name or document. @throws ArgumentError if the name or document is invalid */
export async function importerOf(dataset: DatasetAsked): Promise<Importer> {
  if (typeof dataset !== 'string')
    return (await import('./document/define-dataset.js')).defineDataset(dataset);
  const importer = await findImporter(dataset);
  if (importer !== undefined) return importer;
  throw badArgument('dataset', `there is no data set "${dataset}"; ${adviceOnDocument(dataset)}`);
}

export function loadImporters(): Promise<Importer[]> {
  return Promise.all(DOCUMENT_NAMES.map(loadDocument));
}

const MAX_TEXTS = 100;

/** Lists the data sets that recognise a file, or none if the file is unreadable. */
export async function recogniseDatasets(file: string): Promise<string[]> {
  const found = new Set<string>();
  let texts = 0;
  const importers = await loadImporters();
  try {
    const { beginningOf, openTypedFile } = await import('./document/typed/typed-file.js');
    const typed = await openTypedFile(file);
    const beginnings = typed === null ? beginningsOf(file) : (await typed.tables()).map(beginningOf);
    for await (const beginning of beginnings) {
      for (const { dataset, recognises } of importers)
        if (recognises?.(beginning, typed?.kind)) found.add(dataset);
      if (++texts === MAX_TEXTS) break;
    }
  } catch {
    // If a file is damaged, the part before the damage may still identify the data set.
  }
  return [...found];
}

async function* beginningsOf(file: string): AsyncGenerator<string> {
  const { openInput, readBeginning } = await import('./reading/input-files.js');
  for await (const { chunks } of openInput(file, { dataset: 'any' })) yield await readBeginning(chunks);
}
