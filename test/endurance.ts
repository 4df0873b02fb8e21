/** Set by the stage `faults` of `npm run verify`, which tries thousands of random cases where `npm test` tries hundreds. */
export const ENDURANCE = 'CROPFRAME_ENDURANCE';

/** How many random cases a test tries: a few in `npm test`, all of them in the stage `faults`. */
export function countRuns({ quick, all }: { readonly quick: number; readonly all: number }): number {
  return process.env[ENDURANCE] === undefined ? quick : all;
}
