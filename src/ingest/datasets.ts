import { badArgument } from '../model/errors.js';
import type { DatasetAsked } from '../model/importing/job.js';
import { nearestWord } from '../model/names/edit-distance.js';
import { DOCUMENT_NAMES } from './document/documents.js';
import type { Importer } from './importer.js';
import { getOrCompute } from './reading/get-or-compute.js';

/**
 * The importers for the data sets that ship with the package, by name. Each data set's document is parsed only once.
 */
const documents = new Map<string, Promise<Importer>>();
const loadDocument = (name: string): Promise<Importer> =>
  getOrCompute(documents, name, async () =>
    (await import('./document/define-dataset.js')).documentImporter(name),
  );

export const DATASETS: readonly string[] = DOCUMENT_NAMES;

export async function findImporter(dataset: string): Promise<Importer | undefined> {
  return DOCUMENT_NAMES.includes(dataset) ? loadDocument(dataset) : undefined;
}

/**
 * Returns the importer for a data set, specified by its name or by the document that describes it.
 * @throws ArgumentError if no data set has this name, or if the document has an invalid key; the message names the key
 */
export async function importerOf(dataset: DatasetAsked): Promise<Importer> {
  if (typeof dataset !== 'string')
    return (await import('./document/define-dataset.js')).defineDataset(dataset);
  const importer = await findImporter(dataset);
  if (importer !== undefined) return importer;
  const nearest = nearestWord(dataset, DATASETS);
  const remedy = nearest === undefined ? `choose one of ${DATASETS.join(', ')}` : `did you mean ${nearest}?`;
  throw badArgument('dataset', `there is no data set "${dataset}"; ${remedy}`);
}

export function loadImporters(): Promise<Importer[]> {
  return Promise.all(DOCUMENT_NAMES.map(loadDocument));
}

/** The maximum number of archive entries or worksheets to examine when recognising a data set. */
const MAX_TEXTS = 100;

/**
 * Returns the names of the data sets that a file may belong to. Parquet files are recognised by their columns, and
 * other files by the beginning of their contents. Returns an empty array if the file cannot be read.
 */
export async function recogniseDatasets(file: string): Promise<string[]> {
  const found = new Set<string>();
  let texts = 0;
  const importers = await loadImporters();
  try {
    if ((await (await import('./document/define-dataset.js')).detectTableKind(file)) === 'parquet') {
      const { openParquet } = await import('./document/typed/parquet.js');
      const { unread: columns } = await openParquet(file, { decimal: '.', wantsColumn: () => false });
      return importers
        .filter(({ recognisesColumns }) => recognisesColumns?.(columns))
        .map(({ dataset }) => dataset);
    }
    for await (const beginning of beginningsOf(file)) {
      for (const { dataset, recognises } of importers) if (recognises?.(beginning)) found.add(dataset);
      if (++texts === MAX_TEXTS) break;
    }
  } catch {
    // If a file is damaged, what was read before the damage may still identify the data set.
  }
  return [...found];
}

/** Yields the beginning of a text file, of each entry in an archive, or of each sheet in a workbook. */
async function* beginningsOf(file: string): AsyncGenerator<string> {
  const { isWorkbook, sheetBeginnings } = await import('./document/typed/workbook.js');
  if (await isWorkbook(file)) return yield* await sheetBeginnings(file);
  const { openInput, readBeginning } = await import('./reading/input-files.js');
  for await (const { chunks } of openInput(file, { dataset: 'any' })) yield await readBeginning(chunks);
}
