import type { EntityType } from '../../model/entity.js';
import { badAnswer, type ContractError } from '../../model/errors.js';
import type { SelectionLists } from '../../model/selection.js';
import type { SeriesKey } from '../../model/series.js';
import { loadContract } from './contract.js';

/** Maximum number of redirects in a row. */
export const MAX_REDIRECTS = 5;

/**
 * One changed id in the wire's form: `old_metric_id` and `new_metric_id`, and `source_id` when only the series of one
 * source have the new id.
 */
export type IdRedirect = Readonly<Record<string, number | null>>;

/** The service answered a request with a body by 301: the sender must repeat it with the new ids. */
export class IdsRedirected extends Error {
  constructor(readonly redirects: readonly IdRedirect[]) {
    super('the service redirects ids');
  }
}

/** The changed ids in the body of a 301. @throws ContractError when the body does not name them */
export async function readIdRedirects(endpoint: string, text: string): Promise<IdRedirect[]> {
  const { idRedirects } = await loadContract();
  try {
    return idRedirects.parse(JSON.parse(text)).data;
  } catch (error) {
    throw badAnswer(endpoint, 'answered 301 without the changed ids', {
      cause: error,
      damaged: error instanceof SyntaxError,
    });
  }
}

/** One change of a redirect: of the ids of `field`, such as `region` or `partner_region`. */
interface FieldChange {
  readonly field: string;
  readonly from: number | null;
  readonly to: number;
}

function fieldChanges(redirect: IdRedirect): FieldChange[] {
  return Object.entries(redirect).flatMap(([name, to]) => {
    const field = /^new_(\w+)_id$/.exec(name)?.[1];
    return field === undefined || to === null
      ? []
      : [{ field, from: redirect[`old_${field}_id`] ?? null, to }];
  });
}

/** The field that holds the id of an entity of each type. */
export const ID_FIELDS = {
  metrics: 'metric_id',
  items: 'item_id',
  regions: 'region_id',
  frequencies: 'frequency_id',
  sources: 'source_id',
  units: 'unit_id',
} as const satisfies Record<EntityType, string>;

/** A query, and the entity type in the path, whose ids are the parameter `ids`. */
interface RequestedQuery {
  readonly query: Readonly<Record<string, unknown>>;
  readonly type?: unknown;
}

/**
 * The query with every changed id replaced, in `metricId`, in `metricIds` and in the `ids` of metrics alike.
 * @throws ContractError when nothing changes: the service would answer the same again
 */
export function followIdRedirects(
  endpoint: string,
  { query, type }: RequestedQuery,
  redirects: readonly IdRedirect[],
): Readonly<Record<string, unknown>> {
  const followed: Record<string, unknown> = { ...query };
  for (const redirect of redirects) {
    for (const { field, from, to } of fieldChanges(redirect)) {
      const key = parameterOf(field, { query, type });
      if (key !== null) followed[key] = replaceId(followed[key], from, to);
    }
  }
  if (JSON.stringify(followed) === JSON.stringify(query)) throw endlessRedirects(endpoint);
  return followed;
}

/** The parameter that holds the ids of a field; null when a request by `ids` is of another type. */
function parameterOf(field: string, { query, type }: RequestedQuery): string | null {
  if (query.ids !== undefined) return ID_FIELDS[type as EntityType] === `${field}_id` ? 'ids' : null;
  const key = `${field.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())}Id`;
  return `${key}s` in query ? `${key}s` : key;
}

/** The ids that were asked for, with those to which they were redirected. */
export function movedTo(
  field: string,
  requested: readonly number[],
  redirects: readonly IdRedirect[],
): ReadonlySet<number> {
  const ids = new Set(requested);
  for (const redirect of redirects) {
    for (const change of fieldChanges(redirect)) {
      const isRequested = change.from === null || ids.has(change.from);
      if (`${change.field}_id` === field && isRequested) ids.add(change.to);
    }
  }
  return ids;
}

/** The id to which an id was redirected, or the id itself. */
export function movedId(field: string, id: number, redirects: readonly IdRedirect[]): number {
  return redirects
    .flatMap(fieldChanges)
    .filter((change) => `${change.field}_id` === field)
    .reduce((current, { from, to }) => (from === null || from === current ? to : current), id);
}

/** A series key with its changed ids replaced. */
export function redirectKey<Key extends object>(key: Key, redirects: readonly IdRedirect[]): Key {
  const followed = { ...key } as Record<string, unknown>;
  for (const redirect of redirects) {
    const source = redirect.source_id ?? null;
    if (source !== null && followed.source_id !== source) continue;
    for (const { field, from, to } of fieldChanges(redirect)) {
      if (followed[`${field}_id`] === from) followed[`${field}_id`] = to;
    }
  }
  return followed as Key;
}

export function endlessRedirects(endpoint: string): ContractError {
  return badAnswer(
    endpoint,
    `the service redirects ids more than ${MAX_REDIRECTS} times in a row, or in a circle`,
  );
}

function replaceId(value: unknown, from: number | null, to: number): unknown {
  if (Array.isArray(value)) return [...new Set(value.map((id) => (id === from ? to : id)))];
  return value === undefined || from === null || value === from ? to : value;
}

type AnsweredKey = { readonly [Field in keyof SeriesKey]?: number | undefined };

/** A series of an answer: a service may answer a group by its parts, which belong to it. */
type AnsweredSeries = AnsweredKey & { readonly belongs_to?: AnsweredKey | undefined };

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
  answered: readonly AnsweredSeries[],
  requestedIds: RequestedIds,
): void {
  const { lists, moved } = requestedIds;
  const keys = answered.map((one) =>
    one.belongs_to === undefined || isRequested(one, requestedIds) ? one : { ...one, ...one.belongs_to },
  );
  for (const [name, requested] of Object.entries(lists)) {
    if (requested === undefined) continue;
    const field = name as keyof SeriesKey;
    checkIdsAnswered(
      endpoint,
      keys.map((one) => one[field]),
      { field, requested, moved },
    );
  }
}

/** Whether the ids are among the requested ones. */
function isRequested(key: AnsweredKey, { lists, moved }: RequestedIds): boolean {
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
