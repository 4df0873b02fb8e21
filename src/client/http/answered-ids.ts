import { badAnswer } from '../../model/errors.js';
import type { SelectionLists } from '../../model/selection.js';
import type { SeriesKey } from '../../model/series.js';

type AnsweredKey = { readonly [Field in keyof SeriesKey]?: number | undefined };

/** A series of an answer, and the series that its points belong to. */
type AnsweredSeries = AnsweredKey & { readonly belongs_to?: AnsweredKey | undefined };

type RequestedLists = { readonly [Field in keyof SelectionLists]: SelectionLists[Field] | undefined };

/**
 * Checks that an answer fits the request, by the series that its points belong to where it is another one. A field that was
 * not restricted fits.
 * @throws ContractError that names the field and the id
 */
export function checkAnswered(
  endpoint: string,
  answered: readonly AnsweredSeries[],
  lists: RequestedLists,
): void {
  const keys = answered.map((one) =>
    one.belongs_to === undefined || isRequested(one, lists) ? one : { ...one, ...one.belongs_to },
  );
  for (const [name, requested] of Object.entries(lists)) {
    if (requested === undefined) continue;
    const ids = keys.map((one) => one[name as keyof SeriesKey]);
    checkIdsAnswered(endpoint, ids, { field: name, requested });
  }
}

/** Whether the ids are among the requested ones. */
function isRequested(key: AnsweredKey, lists: RequestedLists): boolean {
  return Object.entries(lists).every(
    ([name, requested]) => requested?.includes(key[name as keyof SeriesKey] ?? Number.NaN) !== false,
  );
}

/** Checks the ids of one field. @throws ContractError that names the field and the id */
export function checkIdsAnswered(
  endpoint: string,
  ids: readonly (number | undefined)[],
  { field, requested }: { field: string; requested: readonly number[] },
): void {
  const allowed = new Set(requested);
  const at = ids.findIndex((id) => id === undefined || !allowed.has(id));
  if (at === -1) return;
  const what = ids[at] === undefined ? `it lacks the ${field}` : `it has the ${field} ${ids[at]}`;
  throw badAnswer(endpoint, `the answer does not fit the request: ${what}`);
}
