import { REGION_LEVELS } from '../../model/entity.js';
import { shownList } from '../../model/errors.js';
import { fold } from '../../search/fold.js';
import { type Hit, matchesAllWords } from '../../search/match.js';
import { isExact } from '../../search/text-search.js';
import { type BatchBuilder, RowError } from '../batch/batch-builder.js';
import { getOrCompute } from '../reading/get-or-compute.js';
import { usCountyRegionId, usStateRegionId } from '../regions/ids.js';
import { findUnitId, nearestUnit, UNITS } from '../vocabulary/units.js';
import {
  type KnownNames,
  loadKnownNames,
  type NamedType,
  nearAlias,
  type StoredNames,
} from './known-names.js';
import type { MappingKeys } from './mapping.js';

const MAX_SHOWN_CANDIDATES = 5;
const REMEDY = ' (with "names": "nearest" in the mapping the first is used)';

const WITHIN = '; "within" of the mapping\'s region names its container, such as the column of the state';

/** A code or a short name of several regions is no name of the first: a table of "IN" may mean Indiana, or India. */
const TELLING = '; "level" or "within" of the mapping\'s region tells them apart';

/** Names beyond so many that are unknown get no advice: it takes a millisecond each, and nobody reads more. */
const MAX_ADVISED = 1000;

type Level = keyof typeof REGION_LEVELS;
/** An id, or the reason why a name has none. */
type Resolution = number | { readonly reason: string };

/**
 * Resolves names with the search of the service. Matches are a name, an alias, the same words in another order or number,
 * and a name with its parent region ("Punjab, India"); of several equally good matches the first is used, with a note.
 * Near matches are used only by the rule "nearest", and noted in any case.
 */
export class NameResolver {
  /** By level, or by type where there is none, and then by name. */
  readonly #resolutions = new Map<Level | NamedType, Map<string, Resolution>>();
  /** The first name of each entity, by its type and id. */
  readonly #firstNames = new Map<string, string>();

  /** Units by their texts. */
  readonly #units = new Map<string, Resolution>();
  /** The ids of names that the mapping defines. */
  readonly #defined = new Map<string, number>();
  #unknown = 0;

  readonly #known: KnownNames;
  readonly #batch: BatchBuilder;
  readonly #rule: MappingKeys['names'];

  private constructor(known: KnownNames, batch: BatchBuilder, rule: MappingKeys['names']) {
    this.#known = known;
    this.#batch = batch;
    this.#rule = rule;
  }

  static async create(
    batch: BatchBuilder,
    { rule, store }: { rule: MappingKeys['names']; store?: StoredNames },
  ): Promise<NameResolver> {
    return new NameResolver(await loadKnownNames(store), batch, rule);
  }

  /**
   * The id of the entity that a name means.
   * @param level restricts regions to one level
   * @throws RowError when the name is unknown
   */
  resolve(type: NamedType, name: string, level?: Level): number {
    const ofKind = getOrCompute(this.#resolutions, level ?? type, () => new Map<string, Resolution>());
    const found = getOrCompute(ofKind, name, () => {
      const resolution = this.#resolve(type, name, level);
      if (typeof resolution === 'number') this.#noteOtherName(type, name, resolution);
      return resolution;
    });
    return idOf(found);
  }

  /**
   * The US state, territory or county of a FIPS code, whose leading zero may be lost; the code of a county 000 is the state's.
   * @throws RowError when there is none
   */
  resolveFips(code: string): number {
    if (/^\d{1,5}$/.test(code)) {
      const id = fipsRegionId(code);
      if (this.#known.parentName('regions', id) !== undefined) return id;
    }
    throw new RowError(`there is no US state or county with the FIPS code "${code}"`);
  }

  /** The unit of a name or an abbreviation. @throws RowError that names the nearest unit */
  resolveUnit(name: string): number {
    return idOf(getOrCompute(this.#units, name, () => this.#findUnit(name)));
  }

  /** Lets a text mean a unit of the mapping's own. */
  defineUnit(text: string, id: number): void {
    this.#units.set(text, id);
  }

  /** Lets a name mean an entity of the mapping, even if others have this name. */
  define(type: NamedType, name: string, id: number): void {
    this.#defined.set(definedSlot(type, name), id);
  }

  /** The entity of the mapping's own that a name means. */
  defined(type: NamedType, name: string): number | undefined {
    return this.#defined.get(definedSlot(type, name));
  }

  /** A bushel of an unnamed crop is stored as it is, but later converts to nothing: better said now. */
  #findUnit(name: string): Resolution {
    const id = findUnitId(name);
    if (id !== undefined) {
      const [unit = '', ...ofCrops] = unitsOfCrops(id);
      if (ofCrops.length > 0)
        this.#batch.addNote(
          `unit "${unit}" converts to no other, since its crop is not named; there is ${ofCrops.join(', ')}`,
        );
      return id;
    }
    const nearest = nearestUnit(name);
    const advice =
      nearest === undefined
        ? '"cropframe units" lists the units, and a mapping can define one'
        : `did you mean "${nearest.abbreviation}" (${nearest.name})?`;
    return { reason: `there is no unit called "${name}"; ${advice}` };
  }

  #resolve(type: NamedType, name: string, level: Level | undefined): Resolution {
    const defined = this.defined(type, name);
    if (defined !== undefined) return defined;
    const wanted = level === undefined ? null : REGION_LEVELS[level];
    const isWanted = ({ document }: Hit) => wanted === null || document.level === wanted;
    const named = this.#known.named(type, name).filter(isWanted);
    const isAdvised = this.#rule === 'nearest' || this.#unknown < MAX_ADVISED;
    const hits = named.length > 0 ? named : this.#known.search(type, name, isAdvised).filter(isWanted);
    const [best, ...others] = hits;
    const noun = type.slice(0, -1);
    const what = level === undefined ? noun : `${noun} of the level "${level}"`;
    const isUnknown = best === undefined || !isExact(best, name);
    if (isUnknown && this.#unknown++ === MAX_ADVISED)
      this.#batch.addNote(
        `more than ${MAX_ADVISED} names are unknown; the nearest of the others are not listed`,
      );
    if (best === undefined || (isUnknown && !isAdvised))
      return { reason: `there is no ${what} called "${name}"` };
    const { kind, distance } = best.match;
    const ties = others.filter(({ match }) => match.kind === kind && match.distance === distance);
    if (!isUnknown) {
      const namesakes = ties.filter(({ document }) => document.historical === best.document.historical);
      if (type === 'regions' && best.match.kind === 'alias' && namesakes.length > 0)
        return {
          reason: `region "${name}" is ${this.#describeAll(type, [best, ...namesakes])}${TELLING}`,
        };
      if (ties.length > 0) {
        const note = `${noun} "${name}" was read as ${this.#describe(type, best)}`;
        this.#batch.addNote(`${note}; it could also be ${this.#describeAll(type, ties, name)}`);
      }
      return best.document.id;
    }
    if (this.#rule === 'nearest' && matchesAllWords(best)) {
      const also = ties.length === 0 ? '' : `; equally near: ${this.#describeAll(type, ties, name)}`;
      this.#batch.addNote(
        `there is no ${what} called "${name}": the nearest, ${this.#describe(type, best, name)}, was used${also}`,
      );
      return best.document.id;
    }
    const near = [best, ...ties];
    const isPart = near.every(({ document }) => fold(document.name).startsWith(fold(name)));
    const remedy = type === 'regions' && ties.length > 0 && isPart ? WITHIN : '';
    const reason = `there is no ${what} called "${name}"; the nearest: ${this.#describeAll(type, near, name)}${remedy}`;
    this.#batch.addNote(reason + (matchesAllWords(best) ? REMEDY : ''));
    return { reason };
  }

  /** Says which names of a table become one series. */
  #noteOtherName(type: NamedType, name: string, id: number): void {
    const first = getOrCompute(this.#firstNames, `${type} ${id}`, () => name);
    if (first === name || fold(first) === fold(name)) return;
    this.#batch.addNote(`${type} "${first}" and "${name}" are both read as ${id}, and become one series`);
  }

  /** With the parent region, which distinguishes regions of the same name, and the other name that is near the text. */
  #describe(type: NamedType, { document }: Hit, text = document.name): string {
    const parent = this.#known.parentName(type, document.id);
    const isComplete = parent === undefined || document.name.endsWith(`, ${parent}`);
    const alias = nearAlias(document, text);
    const called = alias === undefined ? '' : `, also called "${alias}"`;
    return `${document.name}${isComplete ? '' : `, ${parent}`} (${document.id}${called})`;
  }

  #describeAll(type: NamedType, hits: readonly Hit[], text?: string): string {
    const texts = hits.map((hit) => this.#describe(type, hit, text));
    return shownList(texts, MAX_SHOWN_CANDIDATES, '; ');
  }
}

function idOf(found: Resolution): number {
  if (typeof found === 'number') return found;
  throw new RowError(found.reason);
}

function fipsRegionId(code: string): number {
  const number = Number(code);
  if (code.length <= 2) return usStateRegionId(number);
  return number % 1000 === 0 ? usStateRegionId(number / 1000) : usCountyRegionId(number);
}

const definedSlot = (type: NamedType, name: string): string => `${type} ${name.trim().toLowerCase()}`;

/** The abbreviation of a unit that does not convert, then of those like it that do, because they name their crop; or none. */
function unitsOfCrops(id: number): string[] {
  const unit = UNITS.find((one) => one.id === id);
  if (unit === undefined || unit.baseConvFactor.factor !== undefined) return [];
  const like = UNITS.filter(({ abbreviation }) => abbreviation.startsWith(`${unit.abbreviation} (`));
  return [unit, ...like].map(({ abbreviation }) => abbreviation);
}
