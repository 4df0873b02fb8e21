import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Chart, ChartFigure } from '../../charts/chart.js';
import { useSize } from '../controls/media.js';
import { Failure, Loading } from '../controls/waiting.js';
import { drawable } from '../export/exported.js';
import { shownTheme } from '../state/preferences.js';
import { codeOf } from '../state/service.js';
import { placeChart } from './drawing.js';

/** A chart with its own legend, title, subtitle and source as texts of the page. */
export function ChartPicture({
  make,
  version,
  emptyText,
}: {
  make: (size: { width: number; height: number }) => Chart;
  /** Changes when what is drawn changes. */
  version: string;
  /** What is said where there is nothing to draw. */
  emptyText: string;
}) {
  const box = useRef<HTMLDivElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const placed = useSignal<ChartFigure | null>(null);
  const error = useSignal<unknown>(null);
  const theme = useComputed(() => shownTheme());
  const width = useSize(box);
  useEffect(() => {
    if (width === 0 || place.current === null) return;
    let isLatest = true;
    const size = { width, height: Math.max(260, Math.min(560, Math.round(width * 0.46))) };
    const target = place.current;
    void (async () => {
      try {
        const chart = make(size);
        const isPlaced = await placeChart(chart, { theme: theme.value, target, isWanted: () => isLatest });
        if (!isPlaced) return;
        placed.value = chart.figure;
        error.value = null;
        drawable.value = () => make({ width: 1000, height: 560 });
      } catch (failure) {
        if (isLatest) error.value = failure;
      }
    })();
    return () => {
      isLatest = false;
    };
  }, [version, width, theme.value]);
  useEffect(
    () => () => {
      drawable.value = null;
    },
    [],
  );
  if (error.value !== null)
    return codeOf(error.value) === 'argument' ? (
      <p class="notice">{emptyText}</p>
    ) : (
      <Failure error={error.value} what="The chart cannot be drawn." onRetry={() => (error.value = null)} />
    );
  return (
    <figure class="figure">
      <figcaption>
        <h2 class="figure-title">{placed.value?.title}</h2>
        <p class="figure-subtitle">{placed.value?.subtitle}</p>
      </figcaption>
      <div class="plot-box" ref={box}>
        <div class="plot" ref={place} role="img" aria-label={placed.value?.description ?? 'Chart'} />
        {placed.value === null && <Loading what="Drawing the chart" />}
      </div>
      <p class="figure-source">{placed.value?.source}</p>
    </figure>
  );
}
