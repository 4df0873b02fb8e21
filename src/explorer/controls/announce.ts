import { signal } from '@preact/signals';

export const announcement = signal('');
/** The minimum time between announcements, so that screen readers can keep up. */
const MIN_WAIT_MS = 150;

let timer: ReturnType<typeof setTimeout> | undefined;

/** Announces a message to screen readers. Only the last of several messages in quick succession is announced. */
export function announce(text: string): void {
  clearTimeout(timer);
  timer = setTimeout(() => (announcement.value = text), MIN_WAIT_MS);
}
