export function getOrCompute<Key, Value>(known: Map<Key, Value>, key: Key, compute: () => Value): Value {
  let value = known.get(key);
  if (value === undefined) {
    value = compute();
    known.set(key, value);
  }
  return value;
}
