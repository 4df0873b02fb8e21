import type { Condition } from '../engine/snapshot.js';

const MAX_ID = 2 ** 31 - 1;

/** A server takes at most 128 KiB for a parameter: so many ids with their commas. */
const MAX_PARAMETER_IDS = 10_000;

/**
 * The condition that a column holds one of these ids. Numbers that cannot be ids are ignored.
 * @param name of the parameters
 */
export function idCondition(column: string, ids: readonly number[], name = column): Condition {
  const valid = ids.filter((id) => Number.isInteger(id) && Math.abs(id) <= MAX_ID);
  if (valid.length === 0) return { where: 'false', parameters: {} };
  const parameters: Record<string, readonly number[]> = {};
  const parts: string[] = [];
  for (let from = 0; from < valid.length; from += MAX_PARAMETER_IDS) {
    const part = `${name.replaceAll('.', '_')}_${parts.length}`;
    parameters[part] = valid.slice(from, from + MAX_PARAMETER_IDS);
    parts.push(`${column} IN {${part}:Array(Int32)}`);
  }
  return { where: parts.length === 1 ? parts[0]! : `(${parts.join(' OR ')})`, parameters };
}

/** The condition that all of some conditions are true. */
export function allOf(...conditions: readonly Condition[]): Condition {
  return {
    where: conditions.map(({ where }) => where).join(' AND '),
    parameters: Object.assign(
      {},
      ...conditions.map(({ parameters }) => parameters),
    ) as Condition['parameters'],
  };
}
