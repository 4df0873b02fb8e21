import { REGION_LEVELS, type Region, type Unit } from '../../model/entity.js';
import type { ArgumentError } from '../../model/errors.js';
import type { NewEntity } from '../../store/store.js';
import { type BatchBuilder, orRowError, RowError } from '../batch/batch-builder.js';
import type { ImporterInput } from '../importer.js';
import type { Locator } from '../regions/locate.js';
import { pointRegion } from '../regions/names.js';
import { ITEMS, METRICS } from '../vocabulary/entities.js';
import { BASE_UNITS, findUnitId, UNITS } from '../vocabulary/units.js';
import { type DefinitionKeys, documentError, type FormSource } from './form.js';
import type { NamedType } from './known-names.js';
import type { NameResolver } from './names.js';

type RegionKeys = NonNullable<DefinitionKeys['regions']>[string];
type UnitKeys = NonNullable<DefinitionKeys['units']>[string];

export type Definitions = ReturnType<typeof parseDefinitions>;
type NamedDefinition = Definitions[NamedType][number];
type Named<Keys> = Keys & { readonly name: string };

const NAMED_TYPES = ['metrics', 'items', 'regions'] as const;
const TYPES = [...NAMED_TYPES, 'units'] as const;

/** Parses the `define` key. Appends `source` to names of new dimensions. @throws ArgumentError that names the key */
export function parseDefinitions(define: DefinitionKeys = {}, source: string) {
  const definitions = {
    metrics: listOf(define.metrics),
    items: listOf(define.items),
    regions: listOf(define.regions).map(readRegion),
    units: listOf(define.units).map((unit) => readUnit(unit, source)),
  };
  for (const [type, vocabulary] of [['metrics', METRICS] as const, ['items', ITEMS] as const])
    for (const { name } of definitions[type]) {
      const known = vocabulary.find((entity) => entity.name.toLowerCase() === name.toLowerCase());
      if (known !== undefined)
        throw knownError(type, name, `is already in the vocabulary as ${known.name} (${known.id})`);
    }
  for (const unit of definitions.units)
    for (const text of textsOf(unit))
      if (findUnitId(text) !== undefined)
        throw knownError('units', unit.name, `has the name "${text}", which belongs to another unit`);
  for (const type of TYPES) assertDistinct(definitions[type].map(textsOf), type);
  return definitions;
}

const listOf = <Keys>(entries: Readonly<Record<string, Keys>> = {}): Named<Keys>[] =>
  Object.entries(entries).map(([name, keys]) => ({ ...keys, name: name.trim() }));

function knownError(type: string, name: string, what: string): ArgumentError {
  return documentError(`define.${type}.${name}`, `${what}; omit the definition, or choose another name`);
}

function readRegion(region: Named<RegionKeys>) {
  const { latitude, longitude, level = latitude === undefined ? 'other' : 'coordinate' } = region;
  if ((latitude === undefined) !== (longitude === undefined))
    throw documentError(`define.regions.${region.name}`, 'must have both latitude and longitude, or neither');
  return { ...region, level };
}

function assertDistinct(names: readonly (readonly string[])[], type: string): void {
  const seen = new Set<string>();
  for (const text of names.flat()) {
    if (seen.has(text)) throw documentError(`define.${type}`, `has the name "${text}" twice`);
    seen.add(text);
  }
}

/** Lists an entity's names and aliases: unchanged for units, where case matters, and otherwise in lower case. */
function textsOf(defined: Named<{ readonly aliases: readonly string[] }> | Omit<Unit, 'id'>): string[] {
  if (!('aliases' in defined)) return [...new Set([defined.name, defined.namePlural, defined.abbreviation])];
  return [...new Set([defined.name, ...defined.aliases].map((text) => text.toLowerCase()))];
}

/** Parses a unit. A new dimension belongs to the source, so its units are convertible only to units of that source. */
function readUnit(unit: Named<UnitKeys>, source: string) {
  const { identity, name, plural = name, abbreviation = name, factor, offset } = unit;
  const key = `define.units.${name}`;
  const given = unit.dimension?.trim();
  if (factor !== undefined && given === undefined)
    throw documentError(`${key}.dimension`, 'is missing: specify the dimension to which the factor applies');
  if (factor === undefined && offset !== undefined)
    throw documentError(`${key}.factor`, 'is missing: an offset requires a factor');
  const ours = DIMENSIONS.find((one) => one === given?.toLowerCase());
  if (factor !== undefined && ours !== undefined && !Object.hasOwn(BASE_UNITS, ours)) {
    const known = Object.entries(BASE_UNITS).map(([dimension, unit]) => `${dimension} (${unit})`);
    const what = `has no base unit, so its units cannot be converted; omit the factor, or specify a new dimension or one of ${known.join(', ')}`;
    throw documentError(`${key}.dimension`, `"${ours}" ${what}`);
  }
  return {
    identity,
    name,
    namePlural: plural,
    abbreviation,
    dimension: ours ?? (given === undefined ? undefined : `${given} (${source})`),
    baseConvFactor: factor === undefined ? {} : offset === undefined ? { factor } : { factor, offset },
  };
}

const DIMENSIONS = UNITS.map(({ dimension }): string => dimension);

interface DefinitionContext {
  readonly form: { readonly source: FormSource; readonly definitions: Definitions };
  readonly batch: BatchBuilder;
  readonly names: NameResolver;
  readonly locator: Locator | null;
}

/** Adds a document's entities to the batch. @throws ArgumentError if a parent is invalid or a stored entity differs */
export async function addDefinitions(
  { form: { definitions, source }, batch, names, locator }: DefinitionContext,
  store: ImporterInput['store'],
): Promise<void> {
  /** The keys of the definitions that are being resolved, kept to detect cycles. */
  const open = new Set<string>();

  /** Adds an entity, after comparing it with the stored entity that has the same identity. */
  async function put<Type extends keyof Definitions>(
    type: Type,
    name: string,
    fields: Omit<NewEntity<Type>, 'id'>,
    given?: string,
  ): Promise<number> {
    const own = type === 'units' ? name : name.toLowerCase();
    const identity = given ?? `csv:${type}:${JSON.stringify([source.name, own])}`;
    if (batch.isStored(type, identity)) {
      const [stored] = (await store?.lookup(type, [batch.idOf(type, identity)])) ?? [];
      if (stored !== undefined)
        assertUnchanged(stored, fields, { key: `define.${type}.${name}`, source: source.name });
    }
    return batch.addNamedEntity(type, identity, fields);
  }

  async function add(type: NamedType, defined: NamedDefinition): Promise<number> {
    const { name, aliases, within, definition = `As reported by ${source.longName}.` } = defined;
    const known = names.defined(type, name);
    if (known !== undefined) return known;
    const key = `define.${type}.${name}`;
    if (open.has(key)) throw documentError(key, 'contains itself');
    open.add(key);
    const container = within === undefined ? undefined : await containerOf(type, within, key);
    const described = { name, aliases, definition };
    const fields =
      'level' in defined
        ? regionOf(described, defined, container)
        : { ...described, belongsTo: [container ?? []].flat() };
    const id = await put(type, name, fields, defined.identity);
    for (const text of [name, ...aliases]) names.define(type, text, id);
    return id;
  }

  function regionOf(
    described: Pick<NewEntity<'regions'>, 'name' | 'aliases' | 'definition'>,
    { level, latitude, longitude }: Definitions['regions'][number],
    container: number | undefined,
  ): Omit<NewEntity<'regions'>, 'id'> {
    const place = { ...described, latitude: latitude ?? null, longitude: longitude ?? null };
    const point = pointRegion(place, container === undefined ? locator : null, container);
    return { ...point, level: REGION_LEVELS[level] };
  }

  async function containerOf(type: NamedType, within: string, key: string): Promise<number> {
    const folded = within.trim().toLowerCase();
    const own = definitions[type].find((one) => textsOf(one).includes(folded));
    if (own !== undefined) return add(type, own);
    const id = orRowError(() => names.resolve(type, within));
    if (id instanceof RowError) throw documentError(`${key}.within`, `cannot be resolved: ${id.message}`);
    return id;
  }

  for (const type of NAMED_TYPES) for (const definition of definitions[type]) await add(type, definition);
  for (const { identity, ...unit } of definitions.units) {
    const id = await put('units', unit.name, unit, identity);
    for (const text of textsOf(unit)) names.define('units', text, id);
  }
}

type Described = Partial<Unit & Region>;

/** Compares a definition with the stored entity, which earlier imports rely on. @throws ArgumentError if they differ */
function assertUnchanged(
  stored: Described,
  defined: Described,
  { key, source }: { key: string; source: string },
): void {
  const before = factsOf(stored);
  for (const [what, now] of factsOf(defined)) {
    const known = before.get(what)!;
    if (now.every((fact) => known.includes(fact))) continue;
    throw documentError(
      key,
      `has the ${what} ${now.join(' ')}, but an earlier import of "${source}" defined it with ${known.join(' ')}; ` +
        'define it as before, or under another name',
    );
  }
}

function factsOf({ dimension, baseConvFactor = {}, level, latitude, longitude, belongsTo = [] }: Described) {
  const { factor, offset = 0 } = baseConvFactor;
  const single = Object.entries({ dimension, factor, offset, level, latitude, longitude });
  const lists = single.map(([what, fact]): [string, unknown[]] => [what, [fact ?? 'none']]);
  return new Map([...lists, ['container', belongsTo.length === 0 ? ['none'] : belongsTo]]);
}
