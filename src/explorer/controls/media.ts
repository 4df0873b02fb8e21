import { signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Returns an element's width in pixels, or 0 until it is measured. After resizing, waits until the width is stable. */
export function useSize(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new ResizeObserver(([entry]) => {
      const wide = Math.floor(entry!.contentRect.width);
      clearTimeout(timer);
      timer = setTimeout(() => setWidth(wide), 80);
    });
    if (element.current !== null) {
      setWidth(Math.floor(element.current.getBoundingClientRect().width));
      observer.observe(element.current);
    }
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, []);
  return width;
}

export const isOffline = signal(globalThis.navigator?.onLine === false);
for (const event of ['online', 'offline'])
  addEventListener(event, () => (isOffline.value = event === 'offline'));

export const isWide = follows('(min-width: 64em)');
const isDark = follows('(prefers-color-scheme: dark)');
export const currentTheme = () => (isDark.value ? 'dark' : 'light');

function follows(query: string) {
  const media = matchMedia(query);
  const matches = signal(media.matches);
  media.addEventListener('change', () => (matches.value = media.matches));
  return matches;
}
