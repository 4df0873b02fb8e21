import type { Work } from './work.js';

/** Texts sorted, or merged, between two pauses. */
const TEXTS_A_PIECE = 5_000;

/** Sorts distinct texts by their code units, as `sort` does, and pauses regularly. */
export function* sortTexts(texts: readonly string[]): Work<string[]> {
  let runs: string[][] = [];
  for (let at = 0; at < texts.length; at += TEXTS_A_PIECE) {
    yield;
    runs.push(texts.slice(at, at + TEXTS_A_PIECE).sort());
  }
  while (runs.length > 1) {
    const merged: string[][] = [];
    for (let at = 0; at < runs.length; at += 2) merged.push(yield* merge(runs[at]!, runs[at + 1] ?? []));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merge(left: readonly string[], right: readonly string[]): Work<string[]> {
  const merged: string[] = [];
  for (let [i, j] = [0, 0]; i < left.length || j < right.length; ) {
    if (merged.length % TEXTS_A_PIECE === 0) yield;
    const takesLeft = j === right.length || (i < left.length && left[i]! < right[j]!);
    merged.push(takesLeft ? left[i++]! : right[j++]!);
  }
  return merged;
}
