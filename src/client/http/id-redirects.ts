import { ContractError } from '../../model/errors.js';
import { loadContract } from './contract.js';

/** Moves that are followed in a row before the service is held to be going round in circles. */
export const MAX_REDIRECTS = 5;

/** One moved id in the wire's words: `old_metric_id`, `new_metric_id`, and `source_id` where only one source's moved. */
export type IdRedirect = Readonly<Record<string, number | null>>;

/** The service answered a request with a body by 301: its sender has to name the new ids. */
export class IdsRedirected extends Error {
  constructor(readonly moves: readonly IdRedirect[]) {
    super('ids moved');
  }
}

/** The moved ids that a 301 names. @throws ContractError when its body says something else */
export async function readIdRedirects(endpoint: string, text: string): Promise<IdRedirect[]> {
  const { idRedirects } = await loadContract();
  try {
    return idRedirects.parse(JSON.parse(text)).data;
  } catch (error) {
    throw new ContractError(endpoint, `${endpoint}: answered 301 without naming the moved ids`, {
      cause: error,
    });
  }
}

/** What a move says: ids of `field` (such as `region` or `partner_region`) go from one to another. */
interface FieldMove {
  readonly field: string;
  readonly from: number | null;
  readonly to: number;
}

function fieldMoves(move: IdRedirect): FieldMove[] {
  return Object.entries(move).flatMap(([name, to]) => {
    const field = /^new_(\w+)_id$/.exec(name)?.[1];
    return field === undefined || to === null ? [] : [{ field, from: move[`old_${field}_id`] ?? null, to }];
  });
}

/**
 * The query with every moved id replaced by its new one, in `metricId` and in `metricIds` alike.
 * @throws ContractError when that changes nothing, for asking again would be told the same
 */
export function followIdRedirects<Query extends Readonly<Record<string, unknown>>>(
  endpoint: string,
  query: Query,
  moves: readonly IdRedirect[],
): Query {
  const followed: Record<string, unknown> = { ...query };
  for (const move of moves) {
    for (const { field, from, to } of fieldMoves(move)) {
      const key = `${field.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())}Id`;
      const used = `${key}s` in followed ? `${key}s` : key;
      followed[used] = replaced(followed[used], from, to);
    }
  }
  if (JSON.stringify(followed) === JSON.stringify(query)) throw unfollowable(endpoint);
  return followed as Query;
}

/**
 * A series key with the moved ids that concern it replaced.
 * A key that no move concerns stays as it is.
 */
export function redirectKey<Key extends object>(key: Key, moves: readonly IdRedirect[]): Key {
  const followed = { ...key } as Record<string, unknown>;
  for (const move of moves) {
    const source = move.source_id ?? null;
    if (source !== null && followed.source_id !== source) continue;
    for (const { field, from, to } of fieldMoves(move)) {
      if (followed[`${field}_id`] === from) followed[`${field}_id`] = to;
    }
  }
  return followed as Key;
}

/** The error of a service that sends its client round in circles. */
export function unfollowable(endpoint: string): ContractError {
  return new ContractError(
    endpoint,
    `${endpoint}: ids moved more than ${MAX_REDIRECTS} times in a row, or in a circle`,
  );
}

function replaced(value: unknown, from: number | null, to: number): unknown {
  if (Array.isArray(value)) return [...new Set(value.map((id) => (id === from ? to : id)))];
  return value === undefined || from === null || value === from ? to : value;
}
