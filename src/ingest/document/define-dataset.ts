import { basename } from 'node:path';
import type { StoredIdentity } from '../../store/store.js';
import { BatchBuilder } from '../batch/batch-builder.js';
import { fetchableFiles } from '../fetching/plan-downloads.js';
import type { ImportBatch, Importer, ImporterInput } from '../importer.js';
import type { EntryFilter } from '../reading/input-files.js';
import { isNoDocument, isTable, readTables } from '../reading/tables.js';
import { readReferenceData } from '../reference-data.js';
import { loadRegionLocator } from '../regions/locate.js';
import { addDefinitions } from './definitions.js';
import { readDocument, shippedFiles } from './documents.js';
import { stationIdentity } from './entities.js';
import type { FormSource, RegionFrom, StationFrom } from './form.js';
import type { Hook, HookTable } from './hook.js';
import { HOOKS } from './hooks.js';
import { type KnownNames, loadKnownNames } from './known-names.js';
import { createNameResolver } from './names.js';
import { createNumberParser } from './numbers.js';
import { type DataSet, type Form, parseDataSet } from './parse-form.js';
import { type CsvJob, planMappedRows } from './plan-rows.js';
import { readCodeLists, tableKinds } from './table-kind.js';

const UNNAMED = 'table';

/**
 * Creates an importer from a document that describes the columns of a data set's tables (CSV, TSV, fixed-width text,
 * JSON, Parquet or .xlsx). The documentation page "Describe a data set" lists the document's keys.
 * @param hooks the functions that the document may refer to, keyed by name
 * @throws ArgumentError that names the invalid key
 */
export function defineDataset(document: object, hooks: ReadonlyMap<string, Hook> = HOOKS): Importer {
  const dataSet = parseDataSet(document, hooks);
  const { name = UNNAMED, forms, summary = forms[0].source.longName, settings, fetch, code_list } = dataSet;
  const recognised = forms.filter(({ recognise }) => recognise !== undefined);
  return {
    dataset: name,
    summary,
    needsFiles: true,
    settings,
    fetch: fetch && fetchableFiles(name, fetch),
    counts: forms.every(hasOneValue) ? 'rows' : 'values',
    recognises: (beginning, typed) =>
      isTable(recognised.flatMap(tableKinds), beginning, typed) || code_list?.line.test(beginning) === true,
    read: (input) => readDataSet(dataSet, input),
  };
}

/** Creates the importer for a data set in this package. If the data set ships with files, only those are read. */
export function documentImporter(name: string): Importer {
  const importer = defineDataset(readDocument(name));
  const files = shippedFiles(name);
  if (files.length === 0) return importer;
  return {
    ...importer,
    needsFiles: false,
    recognises: undefined,
    read: (input) => importer.read({ ...input, files }),
  };
}

const namesRegions = ({ region, partner_region, definitions }: Form): boolean =>
  definitions.regions.length > 0 || [region, partner_region].some(isNamedRegion);

function isNamedRegion(from: RegionFrom | StationFrom | undefined): boolean {
  if (from === undefined) return false;
  return 'station' in from ? isNamedRegion(from.within) : from.code === undefined;
}

const hasOneValue = ({ values, other_columns, repeat }: Form): boolean =>
  values.length === 1 &&
  repeat === undefined &&
  values[0]!.columns === undefined &&
  other_columns === 'ignore';

/** Reads a data set's files. Adds notes on ambiguous names, and rejects rows with unknown names. */
async function* readDataSet(dataSet: DataSet, input: ImporterInput): AsyncGenerator<ImportBatch> {
  const { name, code_list } = dataSet;
  const { lookup, files } =
    code_list === undefined
      ? { lookup: [], files: input.files }
      : await readCodeLists(code_list, { ...input, dataset: name ?? UNNAMED });
  const forms = dataSet.forms.map((form) => ({ ...form, lookup: new Map([...form.lookup, ...lookup]) }));
  yield* readReferenceData([]);
  const batch = await BatchBuilder.create(input, name?.toUpperCase() ?? dataSet.forms[0].source.name);
  const jobs: CsvJob[] = [];
  const known = await loadKnownNames(input.store, forms.some(namesRegions));
  for (const form of forms) jobs.push(await prepareJob(form, { batch, known, input }));
  const formats = jobs.flatMap((job) => {
    const plan = (table: HookTable) => planMappedRows(table, job);
    return tableKinds(job.form).map((kind) => ({ ...kind, typed: job.form, plan }));
  });
  const wantsEntry: EntryFilter = (path, all) =>
    forms.some(({ entry }) => {
      const wanted = entry?.find((pattern) => all.some((one) => pattern.test(basename(one))));
      return entry === undefined ? isNoDocument(path) : wanted?.test(basename(path)) === true;
    });
  yield* readTables({ ...input, dataset: name ?? UNNAMED, files, wantsEntry }, formats, batch);
}

async function prepareJob(
  form: Form,
  {
    batch,
    known,
    input,
  }: Pick<CsvJob, 'batch'> & { readonly known: KnownNames; readonly input: ImporterInput },
): Promise<CsvJob> {
  const { settings = {} } = input;
  const names = createNameResolver(batch, known);
  const isLocated = form.definitions.regions.some(({ latitude }) => latitude !== undefined);
  const hasStations = form.region !== undefined && 'station' in form.region;
  const job = {
    form,
    names,
    locator: isLocated || hasStations ? await loadRegionLocator() : null,
    places: await storedPlaces(form.source.name, input.store),
    batch,
    parseNumber: createNumberParser(form),
    settings,
    hooks: await Promise.all(
      form.hooks.map(({ hook }) => hook.prepare?.({ batch, settings, dataset: form.name ?? UNNAMED })),
    ),
    importedMs: input.importedMs,
    sourceIds: new Map([...form.sources].map(([text, source]) => [text, addSource(source, batch)])),
  };
  await addDefinitions(job, input.store);
  return job;
}

function addSource({ id, ...source }: FormSource, batch: BatchBuilder): number {
  if (id === undefined) return batch.addNamedEntity('sources', `csv:source:${source.name}`, source);
  batch.addEntity('sources', { ...source, id });
  return id;
}

async function storedPlaces(source: string, store: ImporterInput['store']): Promise<CsvJob['places']> {
  const beginning = stationIdentity(source, '');
  const isOwn = ({ type, identity }: StoredIdentity) => type === 'regions' && identity.startsWith(beginning);
  const own = ((await store?.identities()) ?? []).filter(isOwn);
  const identities = new Map(own.map(({ id, identity }) => [id, identity]));
  const regions = (await store?.lookup('regions', [...identities.keys()])) ?? [];
  return new Map(regions.map((region) => [identities.get(region.id)!, region]));
}
