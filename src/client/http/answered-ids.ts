import { badAnswer } from '../../model/errors.js';
import type { SelectionLists } from '../../model/selection.js';
import type { SeriesKey } from '../../model/series.js';
import { type IdRedirect, movedTo } from './id-redirects.js';

type AnsweredKey = { readonly [Field in keyof SeriesKey]?: number | undefined };

/** The requested ids, and those that the service redirected. */
interface RequestedIds {
  readonly lists: { readonly [Field in keyof SelectionLists]: SelectionLists[Field] | undefined };
  readonly moved: readonly IdRedirect[];
}

/**
 * Checks that an answer fits the request. A field that was not restricted fits.
 * @throws ContractError that names the field and the id
 */
export function checkAnswered(
  endpoint: string,
  answered: readonly AnsweredKey[],
  { lists, moved }: RequestedIds,
): void {
  for (const [name, requested] of Object.entries(lists)) {
    if (requested === undefined) continue;
    const field = name as keyof SeriesKey;
    checkIdsAnswered(
      endpoint,
      answered.map((one) => one[field]),
      { field, requested, moved },
    );
  }
}

/** Whether the ids are among the requested ones. */
export function isRequested(key: AnsweredKey, { lists, moved }: RequestedIds): boolean {
  return Object.entries(lists).every(([name, requested]) => {
    const id = key[name as keyof SeriesKey];
    return requested === undefined || (id !== undefined && movedTo(name, requested, moved).has(id));
  });
}

/** Checks the ids of one field. @throws ContractError that names the field and the id */
export function checkIdsAnswered(
  endpoint: string,
  ids: readonly (number | undefined)[],
  { field, requested, moved }: { field: string; requested: readonly number[]; moved: readonly IdRedirect[] },
): void {
  const allowed = movedTo(field, requested, moved);
  const at = ids.findIndex((id) => id === undefined || !allowed.has(id));
  if (at === -1) return;
  const what = ids[at] === undefined ? `it lacks the ${field}` : `it has the ${field} ${ids[at]}`;
  throw badAnswer(endpoint, `the answer does not fit the request: ${what}`);
}
