import type { View } from 'vega';
import { INKS, type Theme } from '../../charts/theme.js';

/** A chart that stays for this long is prepared for paper. */
const REST_MS = 1_000;

const timers = new WeakMap<HTMLElement, ReturnType<typeof setTimeout>>();

/**
 * Puts a picture for paper beside a chart, in dark ink on white and without pixels, once the chart rests: browsers print what
 * stands on the page when the user asks for it, and do not wait for a chart to be drawn. A chart that was drawn just before is
 * printed as it is on the screen.
 */
export function preparePrint(target: HTMLElement, theme: Theme, drawn: () => View | null): void {
  clearTimeout(timers.get(target));
  target.querySelector('.printed')?.remove();
  const prepare = async () => {
    const svg = target.isConnected ? await drawn()?.toSVG() : undefined;
    if (svg === undefined || drawn() === null) return;
    const picture = document.createElement('img');
    picture.className = 'printed';
    picture.alt = '';
    picture.src = `data:image/svg+xml,${encodeURIComponent(onPaper(svg, theme))}`;
    target.querySelector('.printed')?.remove();
    target.append(picture);
  };
  timers.set(
    target,
    setTimeout(() => void prepare(), REST_MS),
  );
}

/** The picture in the colours of the light theme. */
function onPaper(svg: string, theme: Theme): string {
  const colours = new Map(
    Object.entries(INKS[theme]).map(([name, ink]) => [ink, INKS.light[name as keyof typeof INKS.light]]),
  );
  return svg.replace(/#[0-9a-f]{6}(?=")/g, (colour) => colours.get(colour as never) ?? colour);
}
