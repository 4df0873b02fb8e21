/** Groups elements by key, in order of first appearance. */
export function groupedBy<Element, Key>(
  list: Iterable<Element>,
  keyOf: (element: Element) => Key,
): Map<Key, Element[]> {
  const groups = new Map<Key, Element[]>();
  for (const element of list) {
    const key = keyOf(element);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [element]);
    else group.push(element);
  }
  return groups;
}

export function chunksOf<Element>(list: readonly Element[], size: number): Element[][] {
  const chunks: Element[][] = [];
  for (let i = 0; i < list.length; i += size) chunks.push(list.slice(i, i + size));
  return chunks;
}

/** Returns the value of a key. If the key has none, computes the value and adds it to the map. */
export function getOrCompute<Key, Value>(known: Map<Key, Value>, key: Key, compute: () => Value): Value {
  let value = known.get(key);
  if (value === undefined) {
    value = compute();
    known.set(key, value);
  }
  return value;
}

/** Returns a function that computes a value when it is first called, and then always returns that value. */
export function once<Value>(compute: () => Value): () => Value {
  let computed: { readonly value: Value } | undefined;
  return () => {
    computed ??= { value: compute() };
    return computed.value;
  };
}
