import { createHash } from 'node:crypto';
import type { EntityType } from '../../model/entity.js';
import type { Progress } from '../../model/progress.js';
import type { NewEntity } from '../../store/store.js';
import type { ImportBatch, ImportedText, ImporterInput, RejectedRow } from '../importer.js';
import { ITEMS, METRICS, SOURCES } from '../vocabulary/entities.js';

const UNIQUE_TYPES: readonly EntityType[] = ['metrics', 'items', 'sources', 'regions'];
/** The shared vocabulary's entities. Their names are reserved in every store. */
const SHARED = [
  ['metrics', METRICS],
  ['items', ITEMS],
  ['sources', Object.values(SOURCES)],
] as const;

/** Thrown if a row cannot be used. The message states the reason. */
export class RowError extends Error {}

export function orRowError<Result>(work: () => Result): Result | RowError {
  try {
    return work();
  } catch (error) {
    if (error instanceof RowError) return error;
    throw error;
  }
}

/** The maximum length of a rejected row's text, in characters. Longer texts are truncated. */
export const MAX_REJECTED_TEXT = 500;
/** The maximum length of a name. Nobody searches for longer names, and lists of such names would take megabytes. */
export const MAX_NAME = 500;
/** The number of rejected rows that fill a batch. The limit prevents millions of them from being in memory at once. */
const MAX_REJECTED_TOGETHER = 10_000;

/** The types whose entities can be identified by a name alone. */
export type NamedType = Exclude<EntityType, 'frequencies'>;

/** Collects entities (once each), rejected rows and notes until `take` returns them as a batch. */
export class BatchBuilder {
  #next = emptyBatch();
  #textCount = 0;
  /** Keys for everything added so far: the type, id and parents of each entity, and each note. */
  readonly #added = new Set<string>();

  /** Ids, keyed by entity type and identity (see `idOf`). `#owners` holds the identities, keyed by type and id. */
  readonly #ids = new Map<string, number>();
  readonly #owners = new Map<string, string>();
  readonly #stored = new Set<string>();
  /** Ids, keyed by entity type and lower-case name, so that no two entities of a type get the same name. */
  readonly #named = new Map<string, number>();

  readonly #dataset: string;

  /** @param dataset the suffix to add to entity names that are already taken */
  constructor(dataset = '') {
    this.#dataset = dataset;
    for (const [type, entities] of SHARED)
      for (const entity of entities) this.#claim(type, entity, entity.name);
  }

  /** Creates a builder that reuses the ids in a store and does not assign names that the store already uses. */
  static async create({ store }: Pick<ImporterInput, 'store'>, dataset: string): Promise<BatchBuilder> {
    const builder = new BatchBuilder(dataset);
    const identities = (await store?.identities()) ?? [];
    for (const { type, id, identity } of identities) {
      builder.#give(type, identity, id);
      builder.#stored.add(`${type} ${identity}`);
    }
    const added = identities.filter(({ type }) => type === 'regions').map(({ id }) => id);
    for (const type of UNIQUE_TYPES)
      for (const entity of (await store?.lookup(type, type === 'regions' ? added : null)) ?? [])
        builder.#claim(type, entity, entity.name);
    return builder;
  }

  /** Claims a name for an entity, unless another entity has that name. Returns whether the entity now has the name. */
  #claim(type: EntityType, { id }: { readonly id: number }, name: string): boolean {
    const slot = `${type} ${name.toLowerCase()}`;
    if ((this.#named.get(slot) ?? id) !== id) return false;
    this.#named.set(slot, id);
    return true;
  }

  /** Claims and returns a name. If the name is taken, appends the data set, identity or id to make the name unique. */
  #uniqueName(type: EntityType, entity: { readonly id: number; readonly name: string }): string {
    const { id, name } = entity;
    if (!UNIQUE_TYPES.includes(type)) return name;
    const rest = this.#owners.get(`${type} ${id}`)?.split(':').at(-1) ?? '';
    const words = type === 'regions' ? [rest, this.#dataset] : [this.#dataset, rest];
    const names = [
      name,
      ...[...words, String(id)].filter((word) => word !== '').map((word) => `${name} (${word})`),
    ];
    return names.find((one) => this.#claim(type, entity, one))!;
  }

  /** Whether there are enough rejected rows to fill a batch. */
  get isFull(): boolean {
    return this.#next.rejected.length >= MAX_REJECTED_TOGETHER;
  }

  /**
   * Returns the id of an entity that is identified only by a name: the hash of its identity, or the next free id if
   * another entity has that hash. Ids that the store has already assigned are kept.
   * @param identity the data set, type and name, such as `nass:item:CORN, GRAIN, IRRIGATED`
   */
  idOf(type: NamedType, identity: string): number {
    const known = this.#ids.get(`${type} ${identity}`);
    if (known !== undefined) return known;
    let id = hashName(identity);
    while (this.#owners.has(`${type} ${id}`)) id = id === NAMED_ID_RANGE[1] ? NAMED_ID_RANGE[0] : id + 1;
    this.#give(type, identity, id);
    return id;
  }

  #give(type: EntityType, identity: string, id: number): void {
    this.#ids.set(`${type} ${identity}`, id);
    this.#owners.set(`${type} ${id}`, identity);
  }

  /** Adds an entity that is identified only by a name, and returns its id. */
  addNamedEntity<Type extends NamedType>(type: Type, identity: string, fields: Omit<NewEntity<Type>, 'id'>) {
    const id = this.idOf(type, identity);
    this.addEntity(type, { ...fields, id } as unknown as NewEntity<Type>);
    return id;
  }

  /** Checks whether an earlier import stored an entity with this identity. */
  isStored(type: NamedType, identity: string): boolean {
    return this.#stored.has(`${type} ${identity}`);
  }

  /**
   * Adds an entity. An entity that was already added is added again only if its parents differ; the store then merges
   * the parents.
   * @throws RowError if the name is too long
   */
  addEntity<Type extends EntityType>(type: Type, entity: NewEntity<Type>): void {
    if (entity.name.length > MAX_NAME)
      throw new RowError(
        `the name "${entity.name.slice(0, 40)}…" has ${entity.name.length} characters; the maximum is ${MAX_NAME}`,
      );
    const slot = `${type} ${entity.id} ${parentsOf(entity).join()}`;
    if (this.#added.has(slot)) return;
    this.#added.add(slot);
    const identity = this.#owners.get(`${type} ${entity.id}`);
    const { entities } = this.#next;
    const rows = entities.get(type) ?? [];
    const name = this.#uniqueName(type, entity);
    rows.push({ ...entity, name, identity } as unknown as NewEntity<EntityType>);
    entities.set(type, rows);
  }

  /** Starts a file or archive entry, to which the following rows belong, and returns its index. */
  beginText(text: ImportedText): number {
    this.#next.texts.push(text);
    return this.#textCount++;
  }

  /** Increases the number of rows (or values) read. */
  countRows(count: number): void {
    this.#next.read += count;
  }

  /** Counts rows (or values) that are not imported. Such rows must also be counted with `countRows`. */
  countNotRead(kind: string, count: number): void {
    const { notRead } = this.#next;
    if (count > 0) notRead.set(kind, (notRead.get(kind) ?? 0) + count);
  }

  /** Rejects a row. Consecutive values in a line that are rejected for the same reason are merged into one row. */
  reject({ text, ...row }: RejectedRow): void {
    const cut = text.slice(0, MAX_REJECTED_TEXT);
    const { rejected } = this.#next;
    const last = rejected.at(-1);
    const { values = 1 } = row;
    if (last?.line === row.line && last.reason === row.reason && last.text === cut && last.file === row.file)
      rejected[rejected.length - 1] = { ...last, values: (last.values ?? 1) + values };
    else rejected.push({ ...row, text: cut });
  }

  /** Adds a note unless the same note has already been added. */
  addNote(text: string): void {
    if (!this.#added.has(text)) this.#next.notes.push(text);
    this.#added.add(text);
  }

  /** Returns everything added since the last call as a batch. */
  take(progress: Progress): ImportBatch {
    const { entities, ...taken } = this.#next;
    this.#next = emptyBatch();
    return { ...taken, entities: Object.fromEntries(entities) as ImportBatch['entities'], progress };
  }
}

const emptyBatch = () => ({
  entities: new Map<EntityType, NewEntity<EntityType>[]>(),
  rejected: [] as RejectedRow[],
  read: 0,
  notRead: new Map<string, number>(),
  texts: [] as ImportedText[],
  notes: [] as string[],
});

function parentsOf(entity: NewEntity<EntityType>): readonly number[] {
  return 'belongsTo' in entity ? (entity.belongsTo as readonly number[]) : [];
}

/** The range of ids that are derived from names, for all entity types. Both ends are inclusive. */
export const NAMED_ID_RANGE = [1_073_741_824, 2_147_483_647] as const;

/** Hashes an identity to 2^30 + the first 30 bits of its SHA-256 hash. `idOf` resolves collisions. */
export function hashName(identity: string): number {
  return NAMED_ID_RANGE[0] + (createHash('sha256').update(identity).digest().readUInt32BE(0) >>> 2);
}
