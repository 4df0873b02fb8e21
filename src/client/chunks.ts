/** Splits a list into chunks of at most `size`. */
export function chunksOf<Element>(list: readonly Element[], size: number): Element[][] {
  const chunks: Element[][] = [];
  for (let i = 0; i < list.length; i += size) chunks.push(list.slice(i, i + size));
  return chunks;
}
