import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { Chart } from '../../charts/chart.js';
import { ArgumentError } from '../../model/errors.js';
import { upperFirst } from '../../model/names/first-letter.js';
import { ofAnyFrequency } from '../../model/series.js';
import { announce } from '../controls/announce.js';
import { WRITE } from '../controls/format.js';
import { currentTheme, useSize } from '../controls/media.js';
import { Failure, Loading } from '../controls/waiting.js';
import { drawable, useHeld } from '../export/exported.js';
import { isDragged, page } from '../state/page.js';
import { type Shown, shown } from '../state/points.js';
import type { Drawing, Size } from './drawing.js';
import { Explore } from './explore.js';

const MIN_HEIGHT = 320;
const MAX_HEIGHT = 640;
const MIN_PANEL = 180;
/** The room, in pixels, for a figure's texts and the bar at the bottom of the window. */
const ROOM_PIXELS = 150;
/** The number of points that can be redrawn in one animation frame while the user drags a slider. */
const MAX_DRAGGED = 2_000;

export function Figure({ shown: { frame, lines, credit } }: { shown: Shown }) {
  const count = lines.reduce((sum, { value }) => sum + value.length, 0);
  const maxPoints = isDragged.value && count > MAX_DRAGGED ? MAX_DRAGGED : undefined;
  const { scale, every, notes, asof } = page.value;
  const look = { scale, every, notes, asof, credit };
  return (
    <ChartFigure
      make={async (size) => {
        const { viewChart } = await import('../../charts/view-chart.js');
        return viewChart(frame, lines, {
          ...look,
          ...size,
          max_points: maxPoints,
          places: page.peek().series.map(ofAnyFrequency),
          write: WRITE,
        });
      }}
      parts={[frame, maxPoints, ...Object.values(look)]}
      lines={lines}
      isStale={shown.loaded.value.isLoading}
      emptyText="Choose another option under “Show”, choose other series, or open the Table tab."
    />
  );
}

/** Returns a chart's height in pixels. It is proportional to the width, within limits, and greater for many panels. */
function heightFor({ width, top }: Record<'width' | 'top', number>, lines: Shown['lines']): number {
  const [series, units] = [lines.length, new Set(lines.map(({ unit }) => unit)).size];
  const fitting = Math.min(MAX_HEIGHT, Math.round(width * 0.46), Math.round(innerHeight - top - ROOM_PIXELS));
  const base = Math.max(MIN_HEIGHT, units * MIN_PANEL, fitting);
  return series > 8 ? Math.max(base, Math.ceil(series / Math.max(2, Math.floor(width / 160))) * 130) : base;
}

/** Renders a chart with its texts and cursor. The chart is redrawn when `parts` or the width changes. */
export function ChartFigure(props: {
  make: (size: Size) => Chart | Promise<Chart>;
  /** The values from which the chart is made. If one of them changes, the chart is redrawn. */
  parts: readonly unknown[];
  lines?: Shown['lines'];
  isStale?: boolean;
  emptyText?: string;
}) {
  const { make, parts, lines = [], isStale = false, emptyText = '' } = props;
  const box = useRef<HTMLElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const result = useSignal<{ drawn: Drawing | null; error: unknown }>({ drawn: null, error: null });
  const { drawn, error } = result.value;
  const width = useSize(box);
  const helpId = useId();
  const theme = useComputed(currentTheme);
  useEffect(() => {
    const target = place.current;
    if (width === 0 || target === null) return;
    let isLatest = true;
    const redraw = async () => {
      try {
        const { draw } = await import('./drawing.js');
        const top = box.current!.getBoundingClientRect().top + scrollY;
        const chart = await make({ width, height: heightFor({ width, top }, lines) });
        const drawn = await draw(chart, { theme: theme.value, target, isWanted: () => isLatest });
        if (drawn !== null) result.value = { drawn, error: null };
      } catch (error) {
        if (isLatest) result.value = { drawn: null, error };
      }
    };
    void redraw();
    return () => (isLatest = false);
  }, [width, theme.value, ...parts]);
  useHeld(drawable, () => drawn && make, [drawn]);
  useEffect(() => announce(drawn?.figure.title ?? ''), [drawn?.figure.title]);
  // The argument's name and the remedy are omitted, because they are meant for programmers.
  const fault = error instanceof ArgumentError ? error.problem : null;
  return (
    <figure class={isStale ? 'figure stale' : 'figure'} aria-busy={isStale} ref={box}>
      {drawn !== null && (
        <figcaption>
          {/* A line never ends between a number and its unit. */}
          <h2 class="figure-title">{drawn.figure.title.replace(/(\d) (?=\D)/g, '$1\u00a0')}</h2>
          <p class="figure-subtitle">{drawn.figure.subtitle}</p>
        </figcaption>
      )}
      {fault !== null && (
        <p class="notice">
          {upperFirst(fault)}. {emptyText}
        </p>
      )}
      {error !== null && fault === null && (
        <Failure error={error} what="The chart cannot be drawn." onRetry={() => location.reload()} />
      )}
      <div class="plot-box" hidden={error !== null}>
        <Explore drawing={drawn} helpId={helpId}>
          <div class="plot" ref={place} />
        </Explore>
        {drawn === null && error === null && <Loading what="Drawing the chart" />}
      </div>
      <p id={helpId} class="quiet-text keys-help">
        The left and right arrow keys move by one period, and Page Up and Page Down by one year. The up and
        down arrow keys change the series. The Table tab has all values.
      </p>
      {drawn !== null && <p class="figure-source">{drawn.figure.source}</p>}
    </figure>
  );
}
