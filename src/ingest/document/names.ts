import { REGION_LEVELS } from '../../model/entity.js';
import { shownList } from '../../model/errors.js';
import { getOrCompute } from '../../model/grouping.js';
import { decideMeanings } from '../../model/names/meaning.js';
import { nearestUnit } from '../../model/names/nearest-unit.js';
import { fold } from '../../search/fold.js';
import type { Hit } from '../../search/match.js';
import { isExact } from '../../search/text-search.js';
import { type BatchBuilder, RowError } from '../batch/batch-builder.js';
import {
  countryRegionId,
  STATE_IDS_BY_ABBREVIATION,
  subdivisionRegionId,
  usCountyRegionId,
  usStateRegionId,
} from '../regions/ids.js';
import { findUnitId, UNITS } from '../vocabulary/units.js';
import type { KnownNames, NamedKind, NamedType } from './known-names.js';

const MAX_SHOWN_CANDIDATES = 5;

const WITHIN =
  '; to identify the region, set its "within" in the document to the containing region, such as the column of the state';

/** Advice for a code or short name that is shared by several regions, such as "IN" for Indiana and India. */
const TELLING = '; set "level" or "within" of the region in the document to distinguish them';

/** The maximum number of unknown names that get suggestions. A suggestion takes a millisecond; nobody reads more. */
const MAX_ADVISED = 1000;

type Level = keyof typeof REGION_LEVELS;
export type NameResolver = ReturnType<typeof createNameResolver>;
type Resolution = number | { readonly reason: string };

/**
 * Creates a name resolver that uses the service's search. A name matches an entity's name or alias, the same words in
 * a different order or grammatical number, or a region's name followed by its parent region's name ("Punjab, India").
 * If several entities match equally well, the first is used and a note is added. However, a region name is rejected if
 * the name is an alias of several regions. A region name that ends with a parent's name is rejected if several regions
 * at the same level match: "Southern Africa" does not mean one of the African provinces called "Southern".
 */
export function createNameResolver(batch: BatchBuilder, known: KnownNames) {
  /** Resolved names, keyed by region level or entity type, and then by name. */
  const resolutions = new Map<Level | NamedKind, Map<string, Resolution>>();
  const firstNames = new Map<string, string>();
  const ids = new Map<string, number>();
  let unknowns = 0;

  /** Finds an entity by name, or a unit by abbreviation. @throws RowError if the name is unknown or ambiguous */
  function resolve(type: NamedKind, name: string, level?: Level): number {
    const ofKind = getOrCompute(resolutions, level ?? type, () => new Map<string, Resolution>());
    const found = getOrCompute(ofKind, name, () => {
      const own = defined(type, name);
      if (type === 'units') return own ?? findUnit(name);
      const resolution = own ?? findId(type, name, level);
      if (typeof resolution === 'number') noteOtherName(type, name, resolution);
      return resolution;
    });
    if (typeof found === 'number') return found;
    throw new RowError(found.reason);
  }

  function resolveCode(text: string, kind: RegionCode): number {
    const id = findCode(text, kind);
    if (id !== undefined) return id;
    throw new RowError(`there is no ${CODES[kind].what} "${text}"`);
  }

  function findCode(text: string, kind: RegionCode): number | undefined {
    const code = text.trim();
    const country =
      kind === 'iso' && /^[A-Z]{2}([A-Z]|-[A-Z0-9]{1,3})?$/.test(code)
        ? known.countryByCode(code)
        : undefined;
    const id = country ?? CODES[kind].find(code);
    return id !== undefined && known.hasRegion(id) ? id : undefined;
  }

  function namesake(name: string): string | undefined {
    const levels: readonly number[] = [REGION_LEVELS.country, REGION_LEVELS.province];
    const hit = known
      .named('regions', name)
      .find(({ document }) => levels.includes(document.level ?? 0) && fold(document.name) === fold(name));
    return hit && describe(hit);
  }

  /** Assigns a name to an entity that the document defines, even if other entities have the same name. */
  function define(type: NamedKind, name: string, id: number): void {
    ids.set(definedSlot(type, name), id);
  }

  function defined(type: NamedKind, name: string): number | undefined {
    return ids.get(definedSlot(type, name));
  }

  /** Finds a unit. Adds a note if the unit cannot be converted because its name, such as "bushel", states no crop. */
  function findUnit(name: string): Resolution {
    const id = findUnitId(name);
    if (id !== undefined) {
      const { abbreviation: unit, baseConvFactor } = UNITS.find((one) => one.id === id)!;
      const ofCrops = UNITS.map(({ abbreviation }) => abbreviation).filter((one) =>
        one.startsWith(`${unit} (`),
      );
      if (baseConvFactor.factor === undefined && ofCrops.length > 0)
        batch.addNote(
          `unit "${unit}" cannot be converted to other units, because it does not name its crop; specify a unit such as ${ofCrops.join(', ')}`,
        );
      return id;
    }
    const nearest = nearestUnit(name, UNITS);
    const advice =
      nearest === undefined
        ? 'run "cropframe units" to list the units, or define the unit in the document'
        : `did you mean "${nearest.abbreviation}" (${nearest.name})?`;
    return { reason: `there is no unit called "${name}"; ${advice}` };
  }

  function findId(type: NamedType, name: string, level: Level | undefined): Resolution {
    const wanted = level === undefined ? null : REGION_LEVELS[level];
    const isWanted = ({ document }: Hit) => wanted === null || document.level === wanted;
    const named = known.named(type, name).filter(isWanted);
    // Returning early saves time: a file may have thousands of names, nearly all of which match only one entity.
    if (named.length === 1) return named[0]!.document.id;
    const isAdvised = unknowns < MAX_ADVISED;
    const hits = named.length > 0 ? named : known.search(type, name, isAdvised).filter(isWanted);
    const [best, ...others] = hits;
    const noun = type.slice(0, -1);
    const what = level === undefined ? noun : `${noun} at the level "${level}"`;
    const unknown = `there is no ${what} called "${name}"`;
    const isUnknown = best === undefined || !isExact(best, name);
    if (isUnknown && unknowns++ === MAX_ADVISED)
      batch.addNote(`more than ${MAX_ADVISED} names are unknown; similar names are no longer suggested`);
    if (best === undefined || (isUnknown && !isAdvised)) return { reason: unknown };
    const { kind, distance } = best.match;
    const ties = others.filter(({ match }) => match.kind === kind && match.distance === distance);
    if (!isUnknown) {
      const isPlace = type === 'regions' && named.length > 0;
      const isWithin = type === 'regions' && kind === 'context';
      // Former regions do not make the name of a current region ambiguous.
      const isRival = ({ document: { historical, level } }: Hit) =>
        isPlace ? historical === best.document.historical : !isWithin || level === best.document.level;
      const found = [best, ...(isPlace ? others : ties).filter(isRival)];
      const labels = new Map(found.map((hit) => [hit.document.id, describe(hit)]));
      const { namesakes = [] } = decideMeanings(type, name, {
        found: found.map(({ document: { id, name } }) => ({ id, name, exact: true })),
        labels,
      }).find(({ id }) => id === best.document.id)!;
      if (namesakes.length === 0) return best.document.id;
      const also = shownList(namesakes, MAX_SHOWN_CANDIDATES, '; ') + (isPlace || isWithin ? TELLING : '');
      if (isWithin || (isPlace && kind === 'alias'))
        return { reason: `region "${name}" is ambiguous: ${describe(best)}; ${also}` };
      batch.addNote(`${noun} "${name}" was read as ${describe(best)}; it could also be ${also}`);
      return best.document.id;
    }
    const near = [best, ...ties];
    const isPart = near.every(({ document }) => fold(document.name).startsWith(fold(name)));
    const remedy = type === 'regions' && ties.length > 0 && isPart ? WITHIN : '';
    const reason = `${unknown}; similar names: ${shownList(near.map(describe), MAX_SHOWN_CANDIDATES, '; ')}${remedy}`;
    batch.addNote(reason);
    return { reason };
  }

  /** Adds a note if two names mean the same entity, because their rows are merged into one series. */
  function noteOtherName(type: NamedType, name: string, id: number): void {
    const first = getOrCompute(firstNames, `${type} ${id}`, () => name);
    if (first === name || fold(first) === fold(name)) return;
    batch.addNote(
      `${type} "${first}" and "${name}" are both read as ${type.slice(0, -1)} ${id}, and become one series`,
    );
  }

  /** Describes an entity by its name, parent region and id. */
  function describe({ type, document: { id, name } }: Hit): string {
    const parent = known.parentName(type, id);
    const isComplete = parent === undefined || name.endsWith(`, ${parent}`);
    return `${name}${isComplete ? '' : `, ${parent}`} (${id})`;
  }

  return { resolve, resolveCode, findCode, namesake, define, defined };
}

type RegionCode = keyof typeof CODES;

const CODES = {
  fips: { what: 'US state or county with the FIPS code', find: fipsRegionId },
  usps: {
    what: 'US state with the postal abbreviation',
    find: (code: string) => STATE_IDS_BY_ABBREVIATION.get(code.toUpperCase()),
  },
  iso: { what: 'country or subdivision with the ISO 3166 code', find: isoRegionId },
  m49: {
    what: 'country with the M49 code',
    find: (code: string) => (/^\d{1,3}$/.test(code) && Number(code) > 0 ? countryRegionId(code) : undefined),
  },
};

/** Finds a US state or county by FIPS code, even without a leading zero. County 000 means the entire state. */
function fipsRegionId(code: string): number | undefined {
  if (!/^\d{1,5}$/.test(code)) return undefined;
  const number = Number(code);
  if (code.length <= 2) return usStateRegionId(number);
  return number % 1000 === 0 ? usStateRegionId(number / 1000) : usCountyRegionId(number);
}

/** Finds a subdivision by ISO 3166-2 code. The code of a US state contains its postal abbreviation. */
function isoRegionId(code: string): number | undefined {
  const upper = code.toUpperCase();
  if (!/^[A-Z]{2}-[A-Z0-9]{1,3}$/.test(upper)) return undefined;
  return upper.startsWith('US-') ? STATE_IDS_BY_ABBREVIATION.get(upper.slice(3)) : subdivisionRegionId(upper);
}

const definedSlot = (type: NamedKind, name: string): string =>
  `${type} ${type === 'units' ? name : name.trim().toLowerCase()}`;
