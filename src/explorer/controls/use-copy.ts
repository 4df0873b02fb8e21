import { useSignal } from '@preact/signals';
import { announce } from './announce.js';

/** Returns what was said of the last copy, and what copies a text and says so, or else what the user can do. */
export function useCopy(initial = '') {
  const said = useSignal(initial);
  const copy = async (text: string, done: string, failed: () => string) => {
    try {
      await navigator.clipboard.writeText(text);
      said.value = done;
    } catch {
      said.value = failed();
    }
    announce(said.value);
  };
  return [said.value, copy] as const;
}
