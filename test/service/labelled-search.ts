import { readFileSync } from 'node:fs';
import { hashName } from '../../src/ingest/batch/batch-builder.js';
import { documentImporter } from '../../src/ingest/document/define-dataset.js';
import { importDataset } from '../../src/ingest/import-dataset.js';
import type { ImportBatch, Importer } from '../../src/ingest/importer.js';
import { SOURCES } from '../../src/ingest/vocabulary/entities.js';
import { SEARCHABLE_TYPES, type SearchableType, type SearchDocument } from '../../src/model/entity.js';
import type { Store } from '../../src/store/store.js';
import { openRegionStore } from '../store-templates.js';

/** One labelled query: any of `expected` may be the first hit. */
export interface LabelledQuery {
  readonly type: SearchableType | 'all';
  readonly kind: string;
  readonly query: string;
  readonly expected: readonly string[];
}

type GoldenFile = Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;

export function labelledQueries(): LabelledQuery[] {
  return [
    ...[...SEARCHABLE_TYPES, 'all' as const].flatMap((type) =>
      Object.entries(golden<GoldenFile>(type)).flatMap(([kind, queries]) => labelled(type, kind, queries)),
    ),
    ...SEARCHABLE_TYPES.flatMap((type) => labelled(type, 'held out', golden<GoldenFile>('held-out')[type]!)),
  ];
}

function labelled(type: LabelledQuery['type'], kind: string, queries: GoldenFile[string]): LabelledQuery[] {
  return Object.entries(queries).map(([query, expected]) => {
    return { type, kind, query, expected: typeof expected === 'string' ? [expected] : expected };
  });
}

function golden<Content>(name: string): Content {
  return JSON.parse(
    readFileSync(new URL(`../golden/search/${name}.json`, import.meta.url), 'utf8'),
  ) as Content;
}

/** A store with the demo data, every source of the vocabulary, and items and metrics like those of large data sets. */
export async function openLabelledStore(): Promise<Store> {
  const store = await openRegionStore();
  const importer: Importer = { ...documentImporter('demo'), read: readLabelled };
  await importDataset(store, importer);
  return store;
}

async function* readLabelled(input: Parameters<Importer['read']>[0]): AsyncGenerator<ImportBatch> {
  yield* documentImporter('demo').read(input);
  const { items, metrics } = golden<{ items: string[]; metrics: string[] }>('entities');
  yield {
    entities: { sources: Object.values(SOURCES), items: items.map(entity), metrics: metrics.map(entity) },
  };
}

function entity(name: string): { id: number; name: string; definition: string; belongsTo: number[] } {
  return { id: hashName(`labelled:${name}`), name, definition: '', belongsTo: [] };
}

/** Whether a label means an entity: "Iowa", "Georgia [3]" with a level, or "Punjab [IN-PB]" with an alias. */
export function isMeant({ name, level, aliases }: SearchDocument, label: string): boolean {
  const [, bare, mark] = /^(.*?)(?: \[([^\]]+)\])?$/.exec(label)!;
  if (name !== bare) return false;
  return mark === undefined || String(level) === mark || aliases.includes(mark);
}
