import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** The width of an element in pixels, 0 before it is known; while it changes, the last one that stayed. */
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
