import type { EntityType } from '../../model/entity.js';
import type { Progress } from '../../model/progress.js';
import type { SeriesKey } from '../../model/series.js';
import type { NewEntity } from '../../store/store.js';
import type { ImportBatch, ImportedText, ImporterInput, RejectedRow } from '../importer.js';
import { NAMED_TYPES, NamedIds, type NamedType } from './named-ids.js';
import { type NewPoint, NewPointsBuilder } from './new-points.js';

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
   * The id of an entity that only a name identifies.
   * @param identity data set, type and name: `nass:item:CORN, GRAIN, IRRIGATED`
   */
  idOf(type: NamedType, identity: string): number {
    return this.#ids.id(type, identity);
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
    this.#points.add(key, point);
  }

  /** How many batches were taken. */
  get taken(): number {
    return this.#taken;
  }

  /** The number of a series in the present batch, for `addTo`. */
  seriesNumber(key: SeriesKey): number {
    return this.#points.seriesNumber(key);
  }

  /** Adds the only point of a row, whose value is finite, to a series by its number. The row did not begin, nor can it be reverted. */
  addTo(series: number, point: NewPoint, line: number): void {
    this.#points.line = line;
    this.#points.addTo(series, point);
  }

  /** Adds an entity; a second time only with other parents, which the store adds to the first ones. */
  addEntity<Type extends EntityType>(type: Type, entity: NewEntity<Type>): void {
    const slot = `${type} ${entity.id} ${parentsOf(entity).join()}`;
    if (this.#added.has(slot)) return;
    this.#added.add(slot);
    const identity = this.#ids.identity(type, entity.id);
    const rows = this.#entities.get(type) ?? [];
    rows.push({ ...entity, identity } as unknown as NewEntity<EntityType>);
    this.#entities.set(type, rows);
  }

  /** Begins a text; the rows from now on are in it. */
  beginText(text: ImportedText): void {
    this.#texts.push(text);
    this.#points.beginText(this.#textCount++);
  }

  /** The number of the text that has begun. */
  get textNumber(): number {
    return this.#textCount - 1;
  }

  /** Points of the text that has begun name rows in place of lines. */
  findLines(findLines: ImportedText['findLines']): void {
    this.#texts.push({ ...this.#texts.pop()!, findLines });
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
      entities: Object.fromEntries(this.#entities) as NonNullable<ImportBatch['entities']>,
      points: this.#points.length > 0 ? this.#points.take() : undefined,
      rejected: this.#rejected,
      ...this.#counts.take(),
      texts: this.#texts,
      notes: this.#notes,
      progress,
    };
    this.#taken++;
    this.#entities = new Map();
    this.#rejected = [];
    this.#texts = [];
    this.#notes = [];
    return batch;
  }
}

function parentsOf(entity: NewEntity<EntityType>): readonly number[] {
  return 'belongsTo' in entity ? (entity.belongsTo as readonly number[]) : [];
}

/** Counts the rows (or values) that are read, and those that are not read on purpose, until `take`. */
class RowCounts {
  #read = 0;
  /** Whether any row was ever counted: an importer need not count. */
  #isUsed = false;
  #notRead = new Map<string, number>();
  /** Kinds skipped since the mark. */
  #skipped: string[] = [];

  /** Counts rows, whatever becomes of them. */
  add(count: number): void {
    this.#read += count;
    this.#isUsed = true;
  }

  /** Counts one of the present row as not read, until `revert`. */
  skip(kind: string): void {
    this.#skipped.push(kind);
    this.addNotRead(kind, 1);
  }

  /** Counts rows that `add` has counted as not read. */
  addNotRead(kind: string, count: number): void {
    this.#notRead.set(kind, (this.#notRead.get(kind) ?? 0) + count);
  }

  mark(): void {
    if (this.#skipped.length > 0) this.#skipped = [];
  }

  /** Forgets what was skipped since the mark. */
  revert(): void {
    for (const kind of this.#skipped) this.addNotRead(kind, -1);
    this.#skipped = [];
  }

  take(): { read: number | undefined; notRead: ReadonlyMap<string, number> } {
    const counts = { read: this.#isUsed ? this.#read : undefined, notRead: this.#notRead };
    this.#read = 0;
    this.#notRead = new Map();
    this.#skipped = [];
    return counts;
  }
}
