export type NumberKind = 'number' | 'date' | 'time';

/** Kinds of built-in formats by id (ECMA-376, part 1, 18.8.30); 27 to 36 and 50 to 58 depend on the language. */
const BUILT_IN: readonly (readonly [first: number, last: number, kind: NumberKind])[] = [
  [14, 17, 'date'],
  [18, 21, 'time'],
  [22, 22, 'date'],
  [32, 33, 'time'],
  [27, 36, 'date'],
  [45, 45, 'time'],
  [47, 47, 'time'],
  [50, 58, 'date'],
];

export function builtInKind(id: number): NumberKind {
  return BUILT_IN.find(([first, last]) => id >= first && id <= last)?.[2] ?? 'number';
}

/** Quoted, escaped, skipped and repeated characters, colours and languages. */
const LITERAL = /"[^"]*"|[\\_*].|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi;

/** Returns the kind of a format such as `dd/mm/yyyy`. Elapsed time, such as `[h]:mm`, is a number. */
export function kindOfCode(code: string): NumberKind {
  const [positive = ''] = code.replaceAll(LITERAL, '').split(';');
  if (/general|standard/i.test(positive) || /\[[hms]+\]/i.test(positive)) return 'number';
  if (/[yd]/i.test(positive) || (/m/i.test(positive) && !/[hs]/i.test(positive))) return 'date';
  return /[hs]/i.test(positive) ? 'time' : 'number';
}
