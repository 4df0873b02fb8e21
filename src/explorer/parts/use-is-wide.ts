import { signal } from '@preact/signals';

const isWide = follows('(min-width: 64em)');
const isVeryWide = follows('(min-width: 118.75em)');

function follows(query: string) {
  const media = matchMedia(query);
  const matches = signal(media.matches);
  media.addEventListener('change', () => {
    matches.value = media.matches;
  });
  return matches;
}

/** Whether there is room for lists beside the figure. */
export function useIsWide(): boolean {
  return isWide.value;
}

/** Whether there is room for a table beside the chart. */
export function useIsVeryWide(): boolean {
  return isVeryWide.value;
}
