import { signal } from '@preact/signals';

/** The next polite announcement of screen readers. */
export const announcement = signal('');

/** Screen readers cannot follow more often than this. */
const MIN_WAIT_MS = 150;

let timer: ReturnType<typeof setTimeout> | undefined;

/** Lets screen readers say a text; of several in a short time, the last. */
export function announce(text: string): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    announcement.value = text;
  }, MIN_WAIT_MS);
}
