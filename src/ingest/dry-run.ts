import { join } from 'node:path';
import type { EntityType } from '../model/entity.js';
import { getOrCompute } from '../model/grouping.js';
import { type SeriesKey, seriesKeyText } from '../model/series.js';
import { formatDay } from '../model/time.js';
import { openStore } from '../store/open.js';
import type { NewEntity, ReadPoint, ReadRows } from '../store/store.js';
import { withTemporaryFolder } from '../store/temporary-files.js';
import { settleRows, writeBatches } from './import-dataset.js';
import type { ImportBatch, Importer, ImporterInput, ImportOptions } from './importer.js';
import { loadRegionTree } from './regions/tree.js';

export type DryRunReport = Awaited<ReturnType<typeof dryRun>>;

type DryRunOptions = ImportOptions & Pick<ImporterInput, 'store'>;

/** Reads a data set into a temporary store, as an import would. @throws IngestError in the same cases as an import */
export async function dryRun(importer: Importer, options: DryRunOptions = {}) {
  // The package's regions are not needed here, and loading them takes most of a second.
  async function* read(input: ImporterInput): AsyncGenerator<ImportBatch> {
    for await (const batch of importer.read(input)) yield { ...batch, regionFile: undefined };
  }
  return withTemporaryFolder(async (folder) => {
    const store = await openStore(join(folder, 'dry-run.duckdb'));
    try {
      const transaction = await store.begin();
      const contents = new DryRunContents();
      const { importedMs = Date.now(), store: known } = options;
      const tally = await writeBatches({ ...importer, read }, transaction, {
        ...{ ...options, importedMs, store: known },
        onWritten: (batch) => contents.addEntities(batch),
        onRead: (rows) => contents.addRows(rows),
      });
      const account = await settleRows(transaction, tally, options);
      return { ...account, ...(await contents.describe(known)) };
    } finally {
      await store.close();
    }
  });
}

const MAX_SAMPLE = 10;

class DryRunContents {
  readonly #series = new Map<string, SeriesKey>();
  readonly #entities = new Map<EntityType, Map<number, NewEntity<EntityType>>>();
  /** The type and id of each entity in the shared vocabulary. */
  readonly #shared = new Set<string>();
  readonly #unitCounts = new Map<number, number>();
  readonly #sample: ReadPoint[] = [];
  readonly #statements: string[] = [];
  #firstMs = Number.POSITIVE_INFINITY;
  #lastMs = Number.NEGATIVE_INFINITY;

  addEntities({ entities = {}, digest }: ImportBatch): void {
    for (const [type, rows] of Object.entries(entities) as [EntityType, readonly NewEntity<EntityType>[]][]) {
      const known = getOrCompute(this.#entities, type, () => new Map<number, NewEntity<EntityType>>());
      for (const row of rows) known.set(row.id, row);
      if (digest !== undefined) for (const { id } of rows) this.#shared.add(`${type} ${id}`);
    }
  }

  async addRows({ units, series, sample, statements }: ReadRows): Promise<void> {
    this.#statements.push(...statements);
    for (const { unit_id, points, startMs, endMs } of units) {
      this.#firstMs = Math.min(this.#firstMs, startMs);
      this.#lastMs = Math.max(this.#lastMs, endMs);
      this.#unitCounts.set(unit_id, (this.#unitCounts.get(unit_id) ?? 0) + points);
    }
    for (const key of series) this.#series.set(seriesKeyText(key), key);
    this.#sample.push(...(await sample(MAX_SAMPLE - this.#sample.length)));
  }

  async describe(store: DryRunOptions['store']) {
    const { byId } = await loadRegionTree();
    const own: [EntityType, NewEntity<EntityType>[]][] = [];
    for (const [type, rows] of this.#entities) {
      const stored = (await store?.lookup(type, [...rows.keys()])) ?? [];
      const known = new Set([...stored.map(({ id }) => id), ...(type === 'regions' ? byId.keys() : [])]);
      const isNew = ({ id }: { id: number }) => !known.has(id) && !this.#shared.has(`${type} ${id}`);
      own.push([type, [...rows.values()].filter(isNew)]);
    }
    /** Returns an entity's name, or its id if the entity is in neither the data set nor the store. */
    const nameOf = async (type: EntityType, id: number): Promise<string> => {
      const own = this.#entities.get(type)?.get(id) ?? (type === 'regions' ? byId.get(id) : undefined);
      const entity = own ?? (await store?.lookup(type, [id]))?.[0];
      if (entity === undefined) return String(id);
      return 'abbreviation' in entity ? entity.abbreviation : entity.name;
    };
    const sample = await Promise.all(this.#sample.map((point) => describePoint(point, nameOf)));
    const units = [...this.#unitCounts].sort(([, a], [, b]) => b - a);
    return {
      series: [...this.#series.values()],
      /** Entities that an import would add. */
      entities: Object.fromEntries(own) as NonNullable<ImportBatch['entities']>,
      statements: this.#statements,
      sample,
      dates:
        units.length === 0
          ? null
          : { start_date: formatDay(this.#firstMs), end_date: formatDay(this.#lastMs) },
      /** The abbreviations of all units, most frequent first. */
      units: await Promise.all(units.map(([id]) => nameOf('units', id))),
    };
  }
}

async function describePoint(point: ReadPoint, nameOf: (type: EntityType, id: number) => Promise<string>) {
  const { startMs, endMs, reportingMs, availableMs, value } = point;
  return {
    metric: await nameOf('metrics', point.metric_id),
    item: await nameOf('items', point.item_id),
    region: await nameOf('regions', point.region_id),
    start_date: formatDay(startMs),
    end_date: formatDay(endMs),
    unit: await nameOf('units', point.unit_id),
    value,
    reporting_date: reportingMs === null ? null : formatDay(reportingMs),
    available_date: formatDay(availableMs!),
  };
}
