import type { EntityType } from '../../model/entity.js';
import type { Progress } from '../../model/progress.js';
import type { SeriesKey } from '../../model/series.js';
import type { IdChange } from '../../store/id-change.js';
import type { NewEntity } from '../../store/store.js';
import type { ImportBatch, ImportedText, ImporterInput, RejectedRow } from '../importer.js';
import { keepShape } from '../keep-shape.js';
import { NAMED_TYPES, NamedIds, type NamedType } from './named-ids.js';
import { type NewPoint, NewPointsBuilder } from './new-points.js';
import { RowCounts } from './row-counts.js';

/** A row cannot be used. `RowSink` catches it and records file and line. */
export class RowError extends Error {}

export const MAX_REJECTED_TEXT = 500;

/** Collects entities (once each), points, rejected rows and notes until `take` returns them as a batch. */
export class BatchBuilder {
  readonly #points = new NewPointsBuilder();
  readonly #counts = new RowCounts();
  #taken = 0;
  #textCount = 0;
  #texts: ImportedText[] = [];
  /** Entities already added, as text of type, id and parents. */
  readonly #added = new Set<string>();
  #entities = new Map<EntityType, NewEntity<EntityType>[]>();
  #idChanges: IdChange[] = [];
  #rejected: RejectedRow[] = [];
  #notes: string[] = [];

  readonly #ids: NamedIds;

  constructor(ids = new NamedIds()) {
    this.#ids = ids;
  }

  /** A builder that uses the ids that the store has for names. */
  static async create({ identities }: Pick<ImporterInput, 'identities'>): Promise<BatchBuilder> {
    const ids = new NamedIds();
    if (identities !== undefined) for (const type of NAMED_TYPES) ids.load(type, await identities(type));
    return new BatchBuilder(ids);
  }

  /** Number of points added since the last `take`. */
  get pointCount(): number {
    return this.#points.length;
  }

  /** Whether there are enough points for a batch. */
  get isFull(): boolean {
    return this.#points.isFull;
  }

  /**
   * The id of an entity that only a name identifies. The id may change when another name collides with it; `addEntity` and
   * `addPoint` still accept the old one.
   * @param identity data set, type and name: `nass:item:CORN, GRAIN, IRRIGATED`
   */
  idOf(type: NamedType, identity: string): number {
    const id = this.#ids.id(type, identity);
    for (const change of this.#ids.takeChanges()) this.#changeId(change);
    return id;
  }

  /** Adds an entity that only a name identifies. @returns its id */
  addNamedEntity<Type extends NamedType>(
    type: Type,
    identity: string,
    fields: Omit<NewEntity<Type>, 'id'>,
  ): number {
    const id = this.idOf(type, identity);
    this.addEntity(type, { ...fields, id } as unknown as NewEntity<Type>);
    return id;
  }

  /** Whether an earlier import stored an entity of this identity. */
  isStored(type: NamedType, identity: string): boolean {
    return this.#ids.isStored(type, identity);
  }

  /** @throws RowError when the value is not finite */
  addPoint(key: SeriesKey, point: NewPoint): void {
    if (point.value !== null && !Number.isFinite(point.value)) throw new RowError('the value is too large');
    if (this.#ids.hasChanges) this.#points.add(this.#currentKey(key), this.#currentUnit(point));
    else this.#points.add(key, point);
  }

  /** How many batches were taken. */
  get taken(): number {
    return this.#taken;
  }

  /** The number of a series in the present batch, for `addTo`. */
  seriesNumber(key: SeriesKey): number {
    return this.#points.seriesNumber(this.#ids.hasChanges ? this.#currentKey(key) : key);
  }

  /** Adds the only point of a row, whose value is finite, to a series by its number. The row did not begin, nor can it be reverted. */
  addTo(series: number, point: NewPoint, line: number): void {
    this.#points.line = line;
    this.#points.addTo(series, this.#ids.hasChanges ? this.#currentUnit(point) : point);
  }

  /** Adds an entity; a second time only with other parents, which the store adds to the first ones. */
  addEntity<Type extends EntityType>(type: Type, entity: NewEntity<Type>): void {
    const id = this.#ids.current(type, entity.id);
    const slot = `${type} ${id} ${parentsOf(entity).join()}`;
    if (this.#added.has(slot)) return;
    this.#added.add(slot);
    const identity = this.#ids.identity(type, id);
    const rows = this.#entities.get(type) ?? [];
    const row: NewEntity<Type> = { ...entity, id, identity };
    rows.push(this.#withCurrentParents(type, row as unknown as NewEntity<EntityType>));
    this.#entities.set(type, rows);
  }

  /** Begins a text; the rows from now on are in it. */
  beginText(text: ImportedText): void {
    this.#texts.push(text);
    this.#points.beginText(this.#textCount++);
  }

  /** The rows of the text that has begun are not its lines: nobody looks them up by line. */
  ignoreLines(): void {
    const { name } = this.#texts.pop()!;
    this.#texts.push({ name });
  }

  /** Begins a row, counts its values, and marks the present points for `revert`. */
  beginRow(line: number, values = 1): void {
    this.#points.line = line;
    this.#points.mark();
    this.#counts.mark();
    this.#counts.add(values);
  }

  /** Removes what the row has added, so that a row is used as a whole or not at all. */
  revert(): void {
    this.#points.revert();
    this.#counts.revert();
  }

  /** Counts the row, or one of its values, as not read. */
  skip(kind: string): void {
    this.#counts.skip(kind);
  }

  /** Counts rows that never begin; they are rejected, or not read. */
  countRows(count: number): void {
    this.#counts.add(count);
  }

  /** Counts rows, or values of rows, that are counted already as not read. */
  countNotRead(kind: string, count: number): void {
    if (count > 0) this.#counts.addNotRead(kind, count);
  }

  reject({ text, ...row }: RejectedRow): void {
    this.#rejected.push({ ...row, text: text.slice(0, MAX_REJECTED_TEXT) });
  }

  addNote(text: string): void {
    this.#notes.push(text);
  }

  take(progress: Progress): ImportBatch {
    const batch: ImportBatch = {
      idChanges: this.#idChanges.length > 0 ? this.#idChanges : undefined,
      entities: Object.fromEntries(this.#entities) as NonNullable<ImportBatch['entities']>,
      points: this.#points.length > 0 ? this.#points.take() : undefined,
      rejected: this.#rejected,
      ...this.#counts.take(),
      texts: this.#texts,
      notes: this.#notes,
      progress,
    };
    this.#taken++;
    this.#idChanges = [];
    this.#entities = new Map();
    this.#rejected = [];
    this.#texts = [];
    this.#notes = [];
    return batch;
  }

  /** Changes the id in this batch; the store changes it in earlier batches before it writes this one. */
  #changeId(change: IdChange): void {
    const { type, from, to } = change;
    this.#idChanges.push(change);
    this.#points.changeId(change);
    const rows = this.#entities.get(type) ?? [];
    const changed = rows.map((row) =>
      this.#withCurrentParents(type, row.id === from ? { ...row, id: to } : row),
    );
    this.#entities.set(type, changed);
  }

  #withCurrentParents(type: EntityType, entity: NewEntity<EntityType>): NewEntity<EntityType> {
    if (!this.#ids.hasChanges || !('belongsTo' in entity)) return entity;
    const belongsTo = parentsOf(entity).map((id) => this.#ids.current(type, id));
    return { ...entity, belongsTo } as NewEntity<EntityType>;
  }

  #currentKey(key: SeriesKey): SeriesKey {
    const ids = this.#ids;
    return {
      metric_id: ids.current('metrics', key.metric_id),
      item_id: ids.current('items', key.item_id),
      region_id: ids.current('regions', key.region_id),
      partner_region_id: ids.current('regions', key.partner_region_id),
      source_id: ids.current('sources', key.source_id),
      frequency_id: key.frequency_id,
    };
  }

  #currentUnit(point: NewPoint): NewPoint {
    return { ...point, unitId: this.#ids.current('units', point.unitId) };
  }
}

function parentsOf(entity: NewEntity<EntityType>): readonly number[] {
  return 'belongsTo' in entity ? (entity.belongsTo as readonly number[]) : [];
}

keepShape(new BatchBuilder());
