import { type Signal, useComputed, useSignal } from '@preact/signals';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { COLOURS } from '../../charts/theme.js';
import { parseTime } from '../../model/time.js';
import { formatWrittenDay } from '../controls/format.js';
import { useSize } from '../controls/media.js';
import { Failure, Loading } from '../controls/waiting.js';
import { drawable } from '../export/exported.js';
import { dragged, page } from '../state/page.js';
import { drawnOrder, isPanned, type Shown } from '../state/points.js';
import { shownTheme } from '../state/preferences.js';
import { codeOf } from '../state/service.js';
import type { Drawing } from './drawing.js';
import { Explore } from './explore.js';

const MIN_HEIGHT = 260;
/** Points that are drawn within a frame while a slider is dragged. */
const MAX_DRAGGED = 2_000;

/** The chart of the shown frame, with its texts, its legend and its cursor. */
export function Figure({ shown, isStale }: { shown: Shown; isStale: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const drawing = useSignal<Drawing | null>(null);
  const error = useSignal<unknown>(null);
  const highlight = useSignal<string | null>(null);
  const width = useSize(box);
  const theme = useComputed(() => shownTheme());
  const helpId = useId();
  const isRough = dragged.value !== null && !isPanned.value && countOf(shown) > MAX_DRAGGED;
  const maxPoints = isRough ? MAX_DRAGGED : undefined;
  const { scale, asof, from, to } = page.value;
  const { frame } = shown;
  useEffect(() => {
    // Panels are of one colour.
    drawnOrder.value = shown.lines.length > COLOURS.length ? [] : shown.lines;
  }, [shown]);
  useEffect(() => {
    if (width === 0 || place.current === null) return;
    let isLatest = true;
    const target = place.current;
    const size = { width, height: heightFor(width, shown.lines.length) };
    import('./drawing.js')
      .then(({ draw }) =>
        draw(
          { frame, lines: shown.lines, scale, highlight: highlight.value, maxPoints, ...size },
          { theme: theme.value, target, isWanted: () => isLatest },
        ),
      )
      .then((drawn) => {
        if (drawn === null) return;
        drawing.value = drawn;
        error.value = null;
        drawable.value = () => drawn.remake({ width: 1000, height: 560 });
      })
      .catch((failure: unknown) => {
        if (isLatest) error.value = failure;
      });
    return () => {
      isLatest = false;
    };
  }, [frame, scale, width, highlight.value, theme.value, maxPoints]);
  useEffect(
    () => () => {
      drawable.value = null;
    },
    [],
  );
  const drawn = drawing.value;
  useLayoutEffect(() => {
    if (isPanned.value)
      void drawn?.showDates(
        from === null ? null : parseTime(from, 'day'),
        to === null ? null : parseTime(to, 'day'),
      );
  }, [drawn, isPanned.value, from, to]);
  return (
    <figure class={isStale ? 'figure stale' : 'figure'} aria-busy={isStale}>
      {drawn !== null && (
        <figcaption>
          <h2 class="figure-title">{drawn.chart.figure.title}</h2>
          <p class="figure-subtitle">{drawn.chart.figure.subtitle}</p>
        </figcaption>
      )}
      {scale !== 'season' && <Legend drawing={drawn} highlight={highlight} />}
      {error.value !== null && codeOf(error.value) === 'argument' && (
        <p class="notice">
          {(error.value as Error).message}. Here: take some of the series away, or open the Table.
        </p>
      )}
      {error.value !== null && codeOf(error.value) !== 'argument' && (
        <Failure error={error.value} what="The chart cannot be drawn." onRetry={() => location.reload()} />
      )}
      <div class="plot-box" ref={box}>
        <Explore drawing={drawn} isOneYear={scale === 'season'} helpId={helpId}>
          <div class="plot" ref={place} hidden={error.value !== null} />
        </Explore>
        {drawn === null && error.value === null && <Loading what="Drawing the chart" />}
      </div>
      <p id={helpId} class="visually-hidden">
        Arrow keys left and right move by a period, page up and down by a year, up and down change the series.
        Plus and minus zoom. The Table tab has all values.
      </p>
      {drawn !== null && (
        <p class="figure-source">
          {drawn.chart.figure.source}
          {asof !== null && ` · As known on ${formatWrittenDay(asof)}`}
        </p>
      )}
    </figure>
  );
}

function countOf({ lines }: Shown): number {
  return lines.reduce((sum, { value }) => sum + value.length, 0);
}

/** Wide charts are flatter; many panels need more room. */
function heightFor(width: number, series: number): number {
  const inPanels = series > COLOURS.length;
  const base = Math.max(MIN_HEIGHT, Math.min(640, Math.round(width * 0.46)));
  return inPanels ? Math.max(base, Math.ceil(series / 6) * 130) : base;
}

/** The series of a chart: each button draws its series alone in colour. Panels have their names as headings: their list is folded. */
export function Legend({
  drawing,
  highlight,
}: {
  drawing: Drawing | null;
  highlight: Signal<string | null>;
}) {
  if (drawing === null) return null;
  const { labels, panels } = drawing.chart.figure;
  if (labels.length < 2 && highlight.value === null) return null;
  const inColours = panels === null && highlight.value === null;
  const list = (
    <ul class="legend" aria-label="Series of the chart">
      {labels.map((label, at) => {
        const isChosen = highlight.value === label;
        return (
          <li key={label}>
            <button
              type="button"
              aria-pressed={isChosen}
              title={`Highlight ${label}`}
              onClick={() => (highlight.value = isChosen ? null : label)}
            >
              <span
                class={`swatch ${inColours || isChosen ? `colour-${at % COLOURS.length}` : 'colour-none'}`}
                aria-hidden="true"
              />
              {label}
            </button>
          </li>
        );
      })}
    </ul>
  );
  if (panels === null) return list;
  return (
    <details class="known">
      <summary>Highlight one of {labels.length} series</summary>
      {list}
    </details>
  );
}
