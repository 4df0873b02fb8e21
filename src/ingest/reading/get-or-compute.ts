/** The value of a key; computed and stored when the map does not have it. */
export function getOrCompute<Key, Value>(known: Map<Key, Value>, key: Key, compute: () => Value): Value {
  let value = known.get(key);
  if (value === undefined) {
    value = compute();
    known.set(key, value);
  }
  return value;
}

/** Finds again at once what it found for the text before: neighbouring rows share most of their texts. */
export function rememberLast<Value>(find: (text: string) => Value): (text: string) => Value {
  let last: { readonly text: string; readonly value: Value } | null = null;
  return (text) => {
    if (last === null || last.text !== text) last = { text, value: find(text) };
    return last.value;
  };
}
