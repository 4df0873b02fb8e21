import { createHash } from 'node:crypto';
import type { EntityType } from '../../model/entity.js';
import type { Progress } from '../../model/progress.js';
import type { NewEntity } from '../../store/store.js';
import type { ImportBatch, ImportedText, ImporterInput, RejectedRow } from '../importer.js';
import { ITEMS } from '../vocabulary/items.js';
import { METRICS } from '../vocabulary/metrics.js';
import { SOURCES } from '../vocabulary/sources.js';

/** Entity types whose names are unique. */
const UNIQUE_TYPES: readonly EntityType[] = ['metrics', 'items', 'sources', 'regions'];
/** The shared entities: every store has them, or can get them from any data set. */
const SHARED = [
  ['metrics', METRICS],
  ['items', ITEMS],
  ['sources', Object.values(SOURCES)],
] as const;

/** A row cannot be used, for the reason that the message says. */
export class RowError extends Error {}

/** Longer texts of rows are cut. */
export const MAX_REJECTED_TEXT = 500;
/** Nobody could search for a longer name, and lists of names would take megabytes. */
export const MAX_NAME = 500;
/** Rejected rows are passed on as they are found, so that millions of them never are in memory at once. */
const MAX_REJECTED_TOGETHER = 10_000;

/** The types whose entities can be identified by a name alone. */
export type NamedType = Exclude<EntityType, 'frequencies'>;

/** Collects entities (once each), rejected rows and notes until `take` returns them as a batch. */
export class BatchBuilder {
  #next = emptyBatch();
  #textCount = 0;
  /** Entities already added, as text of type, id and parents, and notes. */
  readonly #added = new Set<string>();

  /** Ids by type and name, and names by type and id. */
  readonly #ids = new Map<string, number>();
  readonly #owners = new Map<string, string>();
  /** Types with names that a store has. */
  readonly #stored = new Set<string>();
  /** Ids by type and lower-case name: no two entities have the same name. */
  readonly #named = new Map<string, number>();

  readonly #dataset: string;

  /** @param dataset distinguishes its entities from those of other data sets with the same name */
  constructor(dataset = '') {
    this.#dataset = dataset;
    for (const [type, entities] of SHARED)
      for (const entity of entities) this.#claim(type, entity, entity.name);
  }

  /** Creates a builder that reuses the ids of a store, and gives no entity a name that another one has. */
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

  /** Gives an entity a name unless another one has it. @returns whether the entity has the name now */
  #claim(type: EntityType, { id }: { readonly id: number }, name: string): boolean {
    const slot = `${type} ${name.toLowerCase()}`;
    if ((this.#named.get(slot) ?? id) !== id) return false;
    this.#named.set(slot, id);
    return true;
  }

  /**
   * Returns a unique name for an entity. If another entity has its name, a word in parentheses is added: the data set,
   * or for regions the rest of their identity, or else the id.
   */
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

  /** Whether there are enough rejected rows for a batch. */
  get isFull(): boolean {
    return this.#next.rejected.length >= MAX_REJECTED_TOGETHER;
  }

  /**
   * Returns the id of an entity that only a name identifies: the hash of the name, or the next free number where
   * another name has that. An id is a store's own, and stays.
   * @param identity data set, type and name: `nass:item:CORN, GRAIN, IRRIGATED`
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

  /** Checks whether an earlier import stored an entity of this identity. */
  isStored(type: NamedType, identity: string): boolean {
    return this.#stored.has(`${type} ${identity}`);
  }

  /**
   * Adds an entity; a second time only with other parents, which the store adds to the first ones.
   * @throws RowError for a name that is too long
   */
  addEntity<Type extends EntityType>(type: Type, entity: NewEntity<Type>): void {
    if (entity.name.length > MAX_NAME)
      throw new RowError(
        `the name "${entity.name.slice(0, 40)}…" has ${entity.name.length} characters, more than ${MAX_NAME}`,
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

  /** Begins a text; the rows from now on are in it. @returns its number among all texts */
  beginText(text: ImportedText): number {
    this.#next.texts.push(text);
    return this.#textCount++;
  }

  /** Counts all rows, or values of rows. */
  countRows(count: number): void {
    this.#next.read += count;
  }

  /** Counts rows, or values of rows, that are counted already as not read. */
  countNotRead(kind: string, count: number): void {
    const { notRead } = this.#next;
    if (count > 0) notRead.set(kind, (notRead.get(kind) ?? 0) + count);
  }

  /** Rejects a row. Values of one line that are rejected alike, one after the other, are one row. */
  reject({ text, ...row }: RejectedRow): void {
    const cut = text.slice(0, MAX_REJECTED_TEXT);
    const { rejected } = this.#next;
    const last = rejected.at(-1);
    const { values = 1 } = row;
    if (last?.line === row.line && last.reason === row.reason && last.text === cut && last.file === row.file)
      rejected[rejected.length - 1] = { ...last, values: (last.values ?? 1) + values };
    else rejected.push({ ...row, text: cut });
  }

  /** Adds a note, once. */
  addNote(text: string): void {
    if (!this.#added.has(text)) this.#next.notes.push(text);
    this.#added.add(text);
  }

  /** Returns what was added since the last call, as a batch. */
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

/** The range of ids made from names, for each type of entity; both ends are included. */
export const NAMED_ID_RANGE = [1_073_741_824, 2_147_483_647] as const;

/** Hashes a name to an id: 2^30 + the first 30 bits of its SHA-256. The name has this id unless another name has it. */
export function hashName(identity: string): number {
  return NAMED_ID_RANGE[0] + (createHash('sha256').update(identity).digest().readUInt32BE(0) >>> 2);
}
