import { REGION_LEVELS } from '../../../model/entity.js';
import type { NewEntity } from '../../../store/store.js';
import { type BatchBuilder, RowError } from '../../batch/batch-builder.js';
import type { ImporterInput } from '../../importer.js';
import { type Locator, loadRegionLocator } from '../../regions/locate.js';
import { pointRegion } from '../../regions/names.js';
import type { Mapping, NamedDefinition, RegionDefinition } from '../mapping.js';
import { mappingError } from '../mapping-schema.js';
import type { NameResolver } from '../names.js';
import { unitTexts } from './parse-definitions.js';

type DefinedType = 'metrics' | 'items' | 'regions' | 'units';

interface DefinitionContext extends Pick<ImporterInput, 'lookup'> {
  readonly mapping: Mapping;
  readonly batch: BatchBuilder;
  readonly names: NameResolver;
}

/**
 * Adds what the mapping defines under its source to the batch, and its names to the resolver.
 * @returns the ids of the units by every text that means one
 * @throws ArgumentError when a definition names an unknown container, or contradicts an earlier import of the source
 */
export async function addDefinitions(context: DefinitionContext): Promise<ReadonlyMap<string, number>> {
  const { regions, units } = context.mapping.definitions;
  const isLocated = regions.some(({ latitude, within }) => latitude !== null && within === null);
  const definer = new Definer(context, isLocated ? await loadRegionLocator() : null);
  for (const type of ['metrics', 'items', 'regions'] as const) await definer.addAll(type);
  const ids = new Map<string, number>();
  for (const unit of units) {
    const id = await definer.put('units', unit.name, unit);
    for (const text of unitTexts(unit)) ids.set(text, id);
  }
  return ids;
}

class Definer {
  readonly #context: DefinitionContext;
  readonly #locator: Locator | null;
  /** Names that are being added, to notice one that is within itself. */
  readonly #open = new Set<string>();

  constructor(context: DefinitionContext, locator: Locator | null) {
    this.#context = context;
    this.#locator = locator;
  }

  async addAll(type: 'metrics' | 'items' | 'regions'): Promise<void> {
    for (const definition of this.#context.mapping.definitions[type]) await this.#add(type, definition);
  }

  async #add(type: 'metrics' | 'items' | 'regions', definition: NamedDefinition): Promise<number> {
    const { mapping, names } = this.#context;
    const known = names.defined(type, definition.name);
    if (known !== undefined) return known;
    const key = `define.${type}.${definition.name}`;
    if (this.#open.has(key)) throw mappingError(key, 'is within itself');
    this.#open.add(key);
    const { name, aliases } = definition;
    const described = {
      name,
      aliases,
      definition: definition.definition ?? `As reported by ${mapping.source.longName}.`,
    };
    const container = await this.#container(type, definition, key);
    const id =
      type === 'regions'
        ? await this.put(type, name, this.#region(described, definition as RegionDefinition, container))
        : await this.put(type, name, { ...described, belongsTo: container === null ? [] : [container] });
    for (const text of [name, ...aliases]) names.define(type, text, id);
    return id;
  }

  #region(
    described: Pick<NewEntity<'regions'>, 'name' | 'aliases' | 'definition'>,
    { level, latitude, longitude }: RegionDefinition,
    container: number | null,
  ): Omit<NewEntity<'regions'>, 'id'> {
    const locator = container === null ? this.#locator : null;
    const point = pointRegion({ ...described, latitude, longitude }, locator, container ?? undefined);
    return { ...point, level: REGION_LEVELS[level] };
  }

  async #container(
    type: 'metrics' | 'items' | 'regions',
    { within }: NamedDefinition,
    key: string,
  ): Promise<number | null> {
    if (within === null) return null;
    const { mapping, names } = this.#context;
    const own = mapping.definitions[type].find(
      ({ name }) => name.toLowerCase() === within.trim().toLowerCase(),
    );
    if (own !== undefined) return this.#add(type, own);
    try {
      return names.resolve(type, within);
    } catch (error) {
      if (error instanceof RowError) throw mappingError(`${key}.within`, `names nothing: ${error.message}`);
      throw error;
    }
  }

  /** Adds an entity of the source, unless it contradicts the stored one of that name. */
  async put<Type extends DefinedType>(
    type: Type,
    name: string,
    fields: Omit<NewEntity<Type>, 'id'>,
  ): Promise<number> {
    const { mapping, batch, lookup } = this.#context;
    const { name: source } = mapping.source;
    const identity = `csv:${type}:${JSON.stringify([source, type === 'units' ? name : name.toLowerCase()])}`;
    if (batch.isStored(type, identity)) {
      const [stored] = (await lookup?.(type, [batch.idOf(type, identity)])) ?? [];
      if (stored !== undefined) assertUnchanged(stored, fields, { key: `define.${type}.${name}`, source });
    }
    return batch.addNamedEntity(type, identity, fields);
  }
}

/** What a definition may not change, because figures of earlier imports rest on it. */
interface Comparable {
  readonly dimension?: string | undefined;
  readonly baseConvFactor?: { readonly factor?: number | undefined; readonly offset?: number | undefined };
  readonly level?: number | null;
  readonly latitude?: number | null;
  readonly longitude?: number | null;
  readonly belongsTo?: readonly number[];
}

/** @throws ArgumentError that names what a definition changes of an earlier import of the same source */
function assertUnchanged(
  stored: object,
  defined: object,
  { key, source }: { key: string; source: string },
): void {
  const [before, after] = [factsOf(stored), factsOf(defined)];
  for (const [what, value] of Object.entries(after)) {
    const known = before[what]!;
    if (value === known || (what === 'container' && isPart(value, known))) continue;
    throw mappingError(
      key,
      `has the ${what} ${value}, but an earlier import of "${source}" defined it with ${known}; ` +
        'define it as before, or under another name',
    );
  }
}

function factsOf(entity: object): Record<string, string> {
  const { dimension, baseConvFactor, level, latitude, longitude, belongsTo } = entity as Comparable;
  const text = (value: unknown): string => (value == null ? 'none' : String(value));
  if (baseConvFactor !== undefined) {
    const { factor, offset } = baseConvFactor;
    return { dimension: text(dimension), factor: text(factor), offset: text(offset ?? 0) };
  }
  const container = belongsTo?.length ? belongsTo.join(' ') : 'none';
  if (level === undefined) return { container };
  return { level: text(level), latitude: text(latitude), longitude: text(longitude), container };
}

/** Whether all ids of the first list are in the second. */
function isPart(value: string, known: string): boolean {
  const ids = known.split(' ');
  return value.split(' ').every((id) => ids.includes(id));
}
