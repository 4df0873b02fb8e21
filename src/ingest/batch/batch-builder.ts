import type { EntityType } from '../../model/entity.js';
import type { Progress } from '../../model/progress.js';
import type { SeriesKey } from '../../model/series.js';
import type { NewEntity } from '../../store/store.js';
import type { ImportBatch, ImportedText, ImporterInput, RejectedRow } from '../importer.js';
import { NamedIds } from './named-ids.js';
import { type NewPoint, NewPointsBuilder } from './new-points.js';

/** A row cannot be used. `BatchBuilder.addRow` catches it and records file and line. */
export class RowError extends Error {}

export const MAX_REJECTED_TEXT = 500;

/** The types whose entities can be identified by a name alone. */
const NAMED_TYPES = ['units', 'sources', 'metrics', 'items', 'regions'] as const satisfies EntityType[];
type NamedType = (typeof NAMED_TYPES)[number];

/** Collects entities (once each), points, rejected rows and notes until `take` returns them as a batch. */
export class BatchBuilder {
  readonly #points = new NewPointsBuilder();
  #read = 0;
  /** Whether any row was ever counted: an importer need not count. */
  #counts = false;
  #notRead = new Map<string, number>();
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
    this.#points.file = this.#textCount++;
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

  /**
   * Adds a row of the text that has begun as a whole, or rejects it with the reason of a RowError.
   * @param row.values how many it holds, where the importer counts values
   * @param row.text shown where the row is rejected
   * @param add adds its points, and names the kind of values that are not read on purpose, each once
   */
  addRow(
    { file, line, values = 1, text }: { file: string; line: number; values?: number; text: () => string },
    add: (skip: (kind: string) => void) => void,
  ): void {
    const { length } = this.#points;
    const skipped: string[] = [];
    this.countRows(values);
    this.#points.line = line;
    try {
      add((kind) => skipped.push(kind));
      for (const kind of skipped) this.countNotRead(kind, 1);
    } catch (error) {
      if (!(error instanceof RowError)) throw error;
      this.#points.truncate(length);
      const reason = error.message;
      this.reject({ file, line, reason, text: text(), values: values === 1 ? undefined : values });
    }
  }

  /** Counts rows, or values of rows, whatever becomes of them. */
  countRows(count: number): void {
    this.#read += count;
    this.#counts = true;
  }

  /** Counts rows, or values of rows, that are counted already as not read. */
  countNotRead(kind: string, count: number): void {
    if (count > 0) this.#notRead.set(kind, (this.#notRead.get(kind) ?? 0) + count);
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
      read: this.#counts ? this.#read : undefined,
      notRead: this.#notRead,
      texts: this.#texts,
      notes: this.#notes,
      progress,
    };
    this.#read = 0;
    this.#notRead = new Map();
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
