import type { Signal } from '@preact/signals';
import { COLOURS } from '../../charts/theme.js';
import type { Drawing } from './drawing.js';

/** The series of a chart: each button draws its series alone in colour. */
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
  return (
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
}
