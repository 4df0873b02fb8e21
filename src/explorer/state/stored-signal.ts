import { effect, signal } from '@preact/signals';

/** Returns a signal that is saved in the browser if possible. A stored value that `isValue` rejects is ignored. */
export function storedSignal<Value>(
  key: string,
  options: {
    readonly initial: Value;
    readonly isValue: (read: unknown) => boolean;
    readonly storage?: 'localStorage' | 'sessionStorage';
  },
) {
  const { initial, isValue, storage = 'localStorage' } = options;
  const name = `cropframe.${key}`;
  const held = signal(initial);
  try {
    const read: unknown = JSON.parse(globalThis[storage].getItem(name) ?? 'null');
    if (isValue(read)) held.value = read as Value;
  } catch {
    // A value that cannot be parsed is ignored.
  }
  effect(() => {
    const text = JSON.stringify(held.value);
    try {
      globalThis[storage].setItem(name, text);
    } catch {
      // The storage may be full or unavailable.
    }
  });
  return held;
}
