import { badAnswer } from '../../model/errors.js';
import type { SelectionLists } from '../../model/selection.js';
import type { SeriesKey } from '../../model/series.js';

type AnsweredKey = { readonly [Field in keyof SeriesKey]?: number | undefined };

type RequestedLists = { readonly [Field in keyof SelectionLists]: SelectionLists[Field] | undefined };

/**
 * Checks that the ids in a response match the request. Fields that the request did not restrict always match.
 * @throws ContractError that names the field and the id
 */
export function checkAnswered(
  endpoint: string,
  answered: readonly AnsweredKey[],
  lists: RequestedLists,
): void {
  for (const [name, requested] of Object.entries(lists)) {
    if (requested === undefined) continue;
    const ids = answered.map((one) => one[name as keyof SeriesKey]);
    checkIdsAnswered(endpoint, ids, { field: name, requested });
  }
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
