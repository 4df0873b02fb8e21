import { findMergedSeries, type MergedSeries } from '../../ingest/merged-series.js';
import { StoreError } from '../../model/errors.js';
import { formatDay } from '../../model/time.js';
import type { SourceImports } from '../../store/source-imports.js';
import type { Store } from '../../store/store.js';
import { withStore } from '../connection/store-file.js';
import { type CommandContext, warnOfAll, writeJson } from '../terminal/io.js';
import { type TextColumn, writeTable } from '../terminal/text-table.js';

const WHEN_BUSY = 'stop that process, check, then start it again';

const COLUMNS: readonly TextColumn[] = [
  { title: 'source' },
  { title: 'data set' },
  { title: 'imported' },
  { title: 'series', align: 'right' },
  { title: 'points', align: 'right' },
];

interface Findings {
  readonly sources: readonly (SourceImports & { readonly name: string })[];
  readonly faults: readonly string[];
  readonly mixtures: readonly (MergedSeries & { readonly source: string })[];
}

/** @throws StoreError when something is wrong, once all of it is printed */
export async function checkStoreFile(
  context: CommandContext,
  file: string,
  { json }: { json?: boolean | undefined },
): Promise<void> {
  const findings = await withStore(file, { to: 'read', whenBusy: WHEN_BUSY }, inspect);
  const { sources, faults, mixtures } = findings;
  if (json === true) await writeJson(context.stdout, toJson(findings));
  else await writeTable(context, COLUMNS, sources.map(describeSource));
  const wrong = [...faults, ...mixtures.map(describeMixture)];
  if (wrong.length === 0) return;
  if (json !== true) await warnOfAll(context, wrong);
  throw new StoreError(`${file}: ${describeCounts(faults.length, mixtures.length)}`);
}

async function inspect(store: Store): Promise<Findings> {
  const imports = await store.sourceImports();
  const entities = await store.lookup(
    'sources',
    imports.map(({ sourceId }) => sourceId),
  );
  const names = new Map(entities.map(({ id, name }) => [id, name]));
  const nameOf = (id: number): string => names.get(id) ?? `source ${id}`;
  const mixtures = await findMergedSeries(store);
  return {
    sources: imports.map((source) => ({ ...source, name: nameOf(source.sourceId) })),
    faults: await store.findFaults(),
    mixtures: mixtures.map((mixture) => ({ ...mixture, source: nameOf(mixture.sourceId) })),
  };
}

function describeSource({
  name,
  dataset,
  importedMs,
  series,
  points,
}: Findings['sources'][number]): string[] {
  const day = importedMs === null ? '' : formatDay(importedMs);
  return [name, dataset ?? '', day, series.toLocaleString('en'), points.toLocaleString('en')];
}

function describeMixture({ source, dataset, mixes }: Findings['mixtures'][number]): string {
  return `${source}: series may mix ${mixes}; import its files again with "cropframe import ${dataset}", into a new store`;
}

function describeCounts(faults: number, mixtures: number): string {
  const parts = [
    faults > 0 ? `${faults} fault${faults === 1 ? '' : 's'}` : '',
    mixtures > 0 ? `${mixtures} mixture${mixtures === 1 ? '' : 's'} of names` : '',
  ];
  return `the check found ${parts.filter((part) => part !== '').join(' and ')}`;
}

function toJson({ sources, faults, mixtures }: Findings): unknown {
  return {
    sources: sources.map(({ sourceId, name, dataset, vocabulary, importedMs, series, points }) => ({
      source_id: sourceId,
      source_name: name,
      dataset,
      vocabulary,
      imported: importedMs === null ? null : new Date(importedMs).toISOString(),
      series,
      points,
    })),
    faults,
    mixtures: mixtures.map(({ sourceId, source, dataset, mixes }) => ({
      source_id: sourceId,
      source_name: source,
      dataset,
      mixes,
    })),
  };
}
