import { REGION_LEVELS, type Region, WORLD_REGION_ID } from '../../model/entity.js';
import { getOrCompute } from '../../model/grouping.js';
import { type BatchBuilder, RowError } from '../batch/batch-builder.js';
import { parseRowInteger } from '../reading/row-values.js';
import type { Locator } from '../regions/locate.js';
import { otherRegion, pointRegion } from '../regions/names.js';
import { ITEMS, METRICS } from '../vocabulary/entities.js';
import { findUnitId, sourceUnit } from '../vocabulary/units.js';
import { fillTemplate, groupNames, placeholdersOf, type Row } from './fields.js';
import {
  type ItemFrom,
  MAX_LATITUDE,
  MAX_LONGITUDE,
  type NameFrom,
  type OwnEntity,
  type RegionFrom,
  type StationFrom,
} from './form.js';
import type { NamedKind } from './known-names.js';
import type { NameResolver } from './names.js';
import type { NumberParser } from './numbers.js';
import type { Form } from './parse-form.js';

export interface EntityContext {
  readonly form: Pick<Form, 'source' | 'split'>;
  readonly names: NameResolver;
  readonly locator: Locator | null;
  /** The positions of stations known from the store or from earlier rows, keyed by identity. */
  readonly places: Map<string, Place>;
  readonly batch: BatchBuilder;
  readonly parseNumber: NumberParser;
}

type Place = Pick<Region, 'latitude' | 'longitude'>;

/** Returns the id of the entity that a row names. @throws RowError if the row names no valid entity */
type EntityReader = (row: Row) => number;

/** Returns a row's entity name, with placeholders filled in. @throws RowError if `others` rejects the row's string */
export function readText(from: NameFrom, row: Row): string {
  if ('name' in from) return from.name;
  const text = row[from.column]!;
  const name = from.names?.get(text);
  if (name == null && 'others' in from && from.others === 'reject')
    throw new RowError(`"${text}" is not listed in "names" for ${shownColumns(from.column)}`);
  const chosen = name ?? (typeof from.others === 'object' ? from.others.name : undefined);
  return chosen === undefined ? text : fillTemplate(chosen, (field) => row[field] ?? '');
}

function shownColumns(column: string): string {
  const fields = placeholdersOf(column);
  return (fields.length === 0 ? [column] : fields).map((field) => `"${field}"`).join(' and ');
}

type MeasureType = 'metrics' | 'items' | 'units';

const ownOf = (from: NameFrom): OwnEntity | undefined => ('name' in from ? undefined : from.define);

function readEntity(type: MeasureType, from: NameFrom, row: Row, context: EntityContext) {
  const own = ownOf(from);
  const text = readText(from, row);
  if (own === undefined) return { id: context.names.resolve(type, text), name: text };
  const known = sharedId(type, text, from, row);
  if (known !== undefined) return { id: known, name: text };
  const id = defineOwn(type, { ...own, from, text, row }, context);
  return { id, name: fillOwn(own.name, text, row) };
}

/** Creates a function that reads a row's metric, item or unit. An item's variant becomes a child of the item. */
export function createMeasureReader(type: MeasureType, from: ItemFrom, context: EntityContext): EntityReader {
  const { variant } = from;
  if (variant === undefined) return (row) => readEntity(type, from, row, context).id;
  return (row) => {
    const item = readEntity(type, from, row, context);
    const written = row[variant.column]!;
    const text = variant.names === undefined ? written : variant.names.get(written);
    if (typeof text !== 'string') throw new RowError(`"${written}" is not listed in "variant.names"`);
    if (text === '') return item.id;
    const own: OwnEntity = variant.define ?? { name: '{item}, {variant}' };
    const names: Row = { ...row, item: item.name, variant: text };
    return defineOwn(type, { ...own, from: variant, text, row: names, container: item.id }, context);
  };
}

export function createRegionReader(from: RegionFrom | StationFrom, context: EntityContext): EntityReader {
  if ('station' in from) return createStationReader(from, context);
  const { names } = context;
  if (from.code !== undefined) return (row) => names.resolveCode(readText(from, row), from.code!);
  return (row) => {
    const within = from.within === undefined ? '' : readText(from.within, row);
    const name = readText(from, row);
    const own = ownOf(from);
    if (own === undefined)
      return names.resolve('regions', within === '' ? name : `${name}, ${within}`, from.level);
    const container = within === '' ? undefined : names.resolve('regions', within);
    if (from.level === undefined) noteNamesake(fillOwn(own.name, name, row), context);
    return defineOwn('regions', { ...own, from, text: name, row, level: from.level, container }, context);
  };
}

function noteNamesake(name: string, { names, batch }: EntityContext): void {
  const namesake = names.namesake(name);
  if (namesake !== undefined)
    batch.addNote(
      `the region "${name}" is added as a new region of the source, separate from ${namesake}; to use the latter, remove "define" from the region; to keep both, set "level"`,
    );
}

/**
 * Finds the vocabulary entity with exactly this name, ignoring aliases; a unit may also be abbreviated. If the document
 * maps only other strings to the name, as in `{ "C": "Corn" }`, a row with the string `Corn` means an entity of the
 * source's own, and the result is `undefined`.
 */
function sharedId(type: MeasureType, name: string, from: NameFrom, row: Row): number | undefined {
  const named = 'name' in from ? undefined : from.names;
  const isNamed = 'name' in from || named?.has(row[from.column]!);
  const folded = name.toLowerCase();
  const isTaken = !isNamed && [...(named?.values() ?? [])].some((one) => one?.toLowerCase() === folded);
  if (isTaken) return undefined;
  if (type === 'units') return findUnitId(name);
  return (type === 'metrics' ? METRICS : ITEMS).find((one) => one.name.toLowerCase() === folded)?.id;
}

const fillOwn = (template: string, text: string, row: Row): string =>
  fillTemplate(template, (field) => (field === 'text' ? text : (row[field] ?? '')));

interface OwnText extends OwnEntity {
  readonly from: NameFrom;
  readonly text: string;
  readonly row: Row;
  readonly level?: keyof typeof REGION_LEVELS | undefined;
  readonly container?: number | undefined;
}

/** Explains why a name is empty: either its column is empty, or the pattern that extracts it does not match. */
function emptyFields(from: NameFrom, { form }: EntityContext): string {
  const column = 'column' in from ? from.column : '';
  const [whole] =
    Object.entries(form.split).find(([, pattern]) => groupNames(pattern).includes(column)) ?? [];
  return whole === undefined ? `${shownColumns(column)} is empty` : `"${column}" was not found in "${whole}"`;
}

function defineOwn(type: NamedKind, own: OwnText, context: EntityContext): number {
  const { from, text, row, level = 'other', container } = own;
  const { form, batch, names } = context;
  const { source } = form;
  if (text === '') throw new RowError(`the ${type.slice(0, -1)} has no name: ${emptyFields(from, context)}`);
  const fill = (template: string) => fillOwn(template, text, row);
  const name = fill(own.name);
  if (name === '') throw new RowError(`the ${type.slice(0, -1)} "${text}" has no name`);
  const id = own.id && own.id.first + parseRowInteger(row[own.id.column]!, own.id.column);
  const parent = fill(own.within ?? '');
  const within = parent === '' || type === 'units' ? [] : [names.resolve(type, parent)];
  const belongsTo = [...within, ...(container === undefined ? [] : [container])];
  const key = type === 'units' ? name : name.toLowerCase();
  const place = type === 'regions' ? belongsTo : [];
  const identity =
    own.identity === undefined
      ? `csv:${type}:${JSON.stringify([source.name, key, ...place])}`
      : fill(own.identity);
  const told = [
    own.definition,
    own.definitions,
    own.aliases,
    own.abbreviation,
    own.level,
    own.id,
    ...belongsTo,
  ];
  // A definition of the document, in an earlier import, may have given the entity a factor, coordinates or aliases.
  if (told.every((one) => one === undefined) && batch.isStored(type, identity))
    return batch.idOf(type, identity);
  if (type === 'units') {
    const abbreviation = fill(own.abbreviation ?? own.name);
    return batch.addNamedEntity(type, identity, { ...sourceUnit(name), abbreviation });
  }
  const definition =
    fill(own.definitions?.[text] ?? own.definition ?? '') || `As reported by ${source.longName}.`;
  const aliases = own.aliases?.map(fill).filter((alias) => alias !== '');
  if (type === 'regions') {
    const containers = belongsTo.length === 0 ? [WORLD_REGION_ID] : belongsTo;
    const region = otherRegion({ name, definition, belongsTo: containers, aliases });
    return batch.addNamedEntity(type, identity, { ...region, level: REGION_LEVELS[level] });
  }
  const entity = { name, definition, belongsTo, aliases };
  if (id === undefined) return batch.addNamedEntity(type, identity, entity);
  batch.addEntity(type, { ...entity, id });
  return id;
}

export const stationIdentity = (source: string, code: string): string => `csv:${source}:${code}`;

/** The maximum difference in degrees between two positions of the same station. Rows that exceed it are rejected. */
const MAX_MOVE = 0.1;

/** Matches degrees with decimals. Degrees have no thousands separator, so a point or comma is the decimal separator. */
const DEGREES = /^-?\d{1,3}[.,]\d+$/;

/** Creates a function that finds or adds a row's station. Rows without coordinates leave a stored station unchanged. */
function createStationReader(
  { station, latitude, longitude, name = station, identity, definition, aliases, within, note }: StationFrom,
  context: EntityContext,
): EntityReader {
  const { locator, places, batch, parseNumber } = context;
  const { source } = context.form;
  const degrees = (from: StationFrom['latitude'], row: Row, what: string, max: number): number | null => {
    if ('degrees' in from) return from.degrees;
    const text = row[from.column]!;
    if (text === '' && within !== undefined) return null;
    const value = DEGREES.test(text) ? Number(text.replace(',', '.')) : parseNumber(text, what);
    if (Math.abs(value) <= max) return value;
    throw new RowError(`the ${what} ${value} is not between -${max} and ${max} degrees`);
  };
  const containerOf = within && createRegionReader(within, context);
  const ids = new Map<string, number>();
  let isNoted = false;
  const idOf = (identity: string, place: ReturnType<typeof placeOf>, row: Row): number => {
    if (place.latitude === null && batch.isStored('regions', identity))
      return batch.idOf('regions', identity);
    if (place.latitude === null && note !== undefined && !isNoted) batch.addNote(readText(note, row));
    isNoted ||= place.latitude === null;
    const isNamed = within !== undefined && readText(within, row) !== '';
    const container = isNamed ? containerOf?.(row) : undefined;
    return batch.addNamedEntity('regions', identity, pointRegion(place, locator, container));
  };
  const placeOf = (code: string, row: Row) => {
    const north = degrees(latitude, row, 'latitude', MAX_LATITUDE);
    const east = degrees(longitude, row, 'longitude', MAX_LONGITUDE);
    const isLocated = north !== null && east !== null;
    return {
      name: readText(name, row) || code,
      definition: definition ? readText(definition, row) : `Station ${code} of ${source.longName}.`,
      latitude: isLocated ? north : null,
      longitude: isLocated ? east : null,
      aliases: aliases?.map((alias) => readText(alias, row)).filter((alias) => alias !== '') ?? [code],
    };
  };
  return (row) => {
    const code = readText(station, row);
    if (code === '') throw new RowError('the station has no identifier');
    const place = placeOf(code, row);
    const known = identity ? readText(identity, row) : stationIdentity(source.name, code);
    const first = getOrCompute(places, known, () => place);
    for (const axis of ['latitude', 'longitude'] as const)
      if (Math.abs((place[axis] ?? Number.NaN) - (first[axis] ?? Number.NaN)) > MAX_MOVE)
        throw new RowError(
          `the station "${code}" has ${axis} ${place[axis]} in this row, but ${first[axis]} in an earlier row or import; use a different identifier for each place`,
        );
    return getOrCompute(ids, known, () => idOf(known, place, row));
  };
}
