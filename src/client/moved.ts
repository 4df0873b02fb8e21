import { movedIds } from '../contract/shapes.js';
import { ContractError } from '../model/errors.js';

/** Moves that are followed in a row before the service is held to be going round in circles. */
export const MOST_MOVES = 5;

type Move = Readonly<Record<string, number | null>>;

/** The moved ids that a 301 names. @throws ContractError when its body says something else */
export function readMoves(endpoint: string, text: string): Move[] {
  try {
    return movedIds.parse(JSON.parse(text)).data;
  } catch (error) {
    throw new ContractError(endpoint, `${endpoint}: answered 301 without naming the moved ids`, {
      cause: error,
    });
  }
}

/** The query with every moved id replaced by its new one: `old_metric_id` 14 in `metricId` becomes `new_metric_id`. */
export function followMoves<Query extends Readonly<Record<string, unknown>>>(
  query: Query,
  moves: readonly Move[],
): Query {
  const followed: Record<string, unknown> = { ...query };
  for (const move of moves) {
    for (const [field, to] of Object.entries(move)) {
      const name = /^new_(\w+)_id$/.exec(field)?.[1];
      if (name === undefined || to === null) continue;
      const key = `${name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())}Id`;
      followed[key] = replaced(followed[key], move[`old_${name}_id`] ?? null, to);
    }
  }
  return followed as Query;
}

function replaced(value: unknown, from: number | null, to: number): unknown {
  if (Array.isArray(value)) return [...new Set(value.map((id) => (id === from ? to : id)))];
  return value === undefined || from === null || value === from ? to : value;
}
