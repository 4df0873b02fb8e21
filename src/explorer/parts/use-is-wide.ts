import { signal } from '@preact/signals';

const wide = matchMedia('(min-width: 1024px)');
const isWide = signal(wide.matches);
wide.addEventListener('change', ({ matches }) => {
  isWide.value = matches;
});

/** Whether there is room for lists beside the figure. */
export function useIsWide(): boolean {
  return isWide.value;
}
