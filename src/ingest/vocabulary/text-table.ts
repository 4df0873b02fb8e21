/** The rows of a table in the code: a line each, with ` | ` between fields. */
export function readTable(text: string): string[][] {
  return text
    .trim()
    .split('\n')
    .map((line) => line.split(/ \|/).map((field) => field.trim()));
}

/** The parts of a field, with `;` between them. */
export const listed = (field = ''): string[] =>
  field === '' ? [] : field.split(';').map((part) => part.trim());

/** The meaning of texts: `text = meaning`, with `;` between pairs. */
export function readPairs(text: string): ReadonlyMap<string, string> {
  return new Map(listed(text).map((pair) => pair.split(' = ') as [text: string, meaning: string]));
}

/** The meaning of each text: rows of a meaning and the texts that have it. */
export function readMeanings(text: string): ReadonlyMap<string, string> {
  const rows = readTable(text);
  return new Map(rows.flatMap(([meaning, texts]) => listed(texts).map((one) => [one, meaning!] as const)));
}

/**
 * Ids by name for the code.
 * @param what the kind of entity
 * @throws RangeError when there is none of a name, which is an error in the code and not in the data
 */
export function requiredId(find: (name: string) => number | undefined, what: string) {
  return (name: string): number => {
    const id = find(name);
    if (id === undefined) throw new RangeError(`there is no ${what} "${name}"`);
    return id;
  };
}
