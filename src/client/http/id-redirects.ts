import { ContractError } from '../../model/errors.js';
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
    throw new ContractError(endpoint, `${endpoint}: answered 301 without the changed ids`, {
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

/**
 * The query with every changed id replaced, in `metricId` and in `metricIds` alike.
 * @throws ContractError when nothing changes: the service would answer the same again
 */
export function followIdRedirects<Query extends Readonly<Record<string, unknown>>>(
  endpoint: string,
  query: Query,
  redirects: readonly IdRedirect[],
): Query {
  const followed: Record<string, unknown> = { ...query };
  for (const redirect of redirects) {
    for (const { field, from, to } of fieldChanges(redirect)) {
      const key = `${field.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())}Id`;
      const used = `${key}s` in followed ? `${key}s` : key;
      followed[used] = replaceId(followed[used], from, to);
    }
  }
  if (JSON.stringify(followed) === JSON.stringify(query)) throw endlessRedirects(endpoint);
  return followed as Query;
}

/** The ids that were asked for, with those to which they were redirected. */
export function movedTo(
  field: string,
  asked: readonly number[],
  redirects: readonly IdRedirect[],
): ReadonlySet<number> {
  const ids = new Set(asked);
  for (const redirect of redirects) {
    for (const change of fieldChanges(redirect)) {
      const isAsked = change.from === null || ids.has(change.from);
      if (`${change.field}_id` === field && isAsked) ids.add(change.to);
    }
  }
  return ids;
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
  return new ContractError(
    endpoint,
    `${endpoint}: the service redirects ids more than ${MAX_REDIRECTS} times in a row, or in a circle`,
  );
}

function replaceId(value: unknown, from: number | null, to: number): unknown {
  if (Array.isArray(value)) return [...new Set(value.map((id) => (id === from ? to : id)))];
  return value === undefined || from === null || value === from ? to : value;
}
