import { useSignal } from '@preact/signals';
import { announce } from './announce.js';

/** Returns a message about the last copy operation, and a function that copies a string and announces the result. */
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
