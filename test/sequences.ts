/** All elements of a sequence, in order. */
export async function collect<Element>(sequence: AsyncIterable<Element>): Promise<Element[]> {
  const all: Element[] = [];
  for await (const element of sequence) all.push(element);
  return all;
}

export function idsOf(entities: readonly { readonly id: number }[]): number[] {
  return entities.map(({ id }) => id);
}
