import { REGION_LEVELS } from '../../model/entity.js';
import type { Hit } from '../../search/order.js';
import { isNameMatch, matchesAllWords } from '../../search/text-search.js';
import { type BatchBuilder, RowError } from '../batch/batch-builder.js';
import type { ImporterInput } from '../importer.js';
import { getOrCompute } from '../reading/get-or-compute.js';
import { type KnownNames, loadKnownNames, type NamedType } from './known-names.js';
import type { NameRule } from './mapping.js';

const TYPE_NAMES: Readonly<Record<NamedType, string>> = {
  metrics: 'metric',
  items: 'item',
  regions: 'region',
};
const MAX_SHOWN_CANDIDATES = 5;
const REMEDY = ' ("names": "nearest" in the mapping would take the first)';

type Level = keyof typeof REGION_LEVELS;
/** An id, or why a name has none. */
type Resolution = number | { readonly unknown: string };

/**
 * Finds entities by name as the service's search does. A name, an alias, the same words in another order or number, and a
 * name with what it lies in ("Punjab, India") are taken; where several are meant equally the first is, and a note says so.
 * What is only nearly so called is named in a note and taken when the mapping says so.
 */
export class NameResolver {
  readonly #resolutions = new Map<string, Resolution>();

  readonly #known: KnownNames;
  readonly #batch: BatchBuilder;
  readonly #rule: NameRule;

  private constructor(known: KnownNames, batch: BatchBuilder, rule: NameRule) {
    this.#known = known;
    this.#batch = batch;
    this.#rule = rule;
  }

  static async create(
    batch: BatchBuilder,
    { documents, rule }: Pick<ImporterInput, 'documents'> & { rule: NameRule },
  ): Promise<NameResolver> {
    return new NameResolver(await loadKnownNames(documents), batch, rule);
  }

  /**
   * The id of what a name means.
   * @param level restricts regions to one of `REGION_LEVELS`
   * @throws RowError when nothing is so called
   */
  resolve(type: NamedType, name: string, level?: Level): number {
    const slot = `${type} ${level ?? ''} ${name}`;
    const found = getOrCompute(this.#resolutions, slot, () => this.#resolve(type, name, level));
    if (typeof found === 'number') return found;
    throw new RowError(found.unknown);
  }

  #resolve(type: NamedType, name: string, level: Level | undefined): Resolution {
    const wanted = level === undefined ? null : REGION_LEVELS[level];
    const hits = this.#known
      .search(type, name)
      .filter(({ document }) => wanted === null || document.level === wanted);
    const [best, ...others] = hits;
    const what = level === undefined ? TYPE_NAMES[type] : `${TYPE_NAMES[type]} of the level "${level}"`;
    if (best === undefined) return { unknown: `there is no ${what} called "${name}"` };
    const rivals = others.filter((other) => isEquallyGood(other, best));
    if (isNameMatch(best) || best.match.kind === 'context') {
      const note = `${TYPE_NAMES[type]} "${name}" was taken as ${this.#describe(type, best)}`;
      if (rivals.length > 0) this.#batch.note(`${note}, and could be ${this.#describeAll(type, rivals)}`);
      return best.document.id;
    }
    if (this.#rule === 'nearest' && matchesAllWords(best)) {
      const others = rivals.length === 0 ? '' : `, as near as ${this.#describeAll(type, rivals)}`;
      this.#batch.note(
        `there is no ${what} called "${name}": ${this.#describe(type, best)} was taken, the nearest${others}`,
      );
      return best.document.id;
    }
    const unknown = `there is no ${what} called "${name}"; near to it: ${this.#describeAll(type, [best, ...rivals])}`;
    this.#batch.note(unknown + (matchesAllWords(best) ? REMEDY : ''));
    return { unknown };
  }

  /** With what it lies in, which tells the many Georgias apart. */
  #describe(type: NamedType, { document }: Hit): string {
    const around = this.#known.parentName(type, document.id);
    const isWhole = around === undefined || document.name.endsWith(`, ${around}`);
    return `${document.name}${isWhole ? '' : `, ${around}`} (${document.id})`;
  }

  #describeAll(type: NamedType, hits: readonly Hit[]): string {
    return hits
      .slice(0, MAX_SHOWN_CANDIDATES)
      .map((hit) => this.#describe(type, hit))
      .join('; ');
  }
}

function isEquallyGood({ match }: Hit, best: Hit): boolean {
  return match.kind === best.match.kind && match.distance === best.match.distance;
}
