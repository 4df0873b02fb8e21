import { parseTime } from '../../model/time.js';
import { countText, formatDate } from '../controls/format.js';
import { Awaited } from '../controls/waiting.js';
import { drag, page } from '../state/page.js';
import { history } from '../state/points.js';

/** Renders a slider over the days on which values became available. It shows the values as known on each day. */
export function AsOfSlider() {
  return (
    <Awaited resource={history} failure="The vintages could not be loaded." loading="Loading every vintage">
      {({ days }) => <Slider days={days} />}
    </Awaited>
  );
}

function Slider({ days }: { days: readonly string[] }) {
  if (days.length === 0)
    return <p class="quiet-text">The service has no record of when these values became available.</p>;
  const { asof } = page.value;
  const at = asof === null ? days.length : days.findLastIndex((day) => day <= asof);
  const text =
    at >= days.length ? 'now' : at < 0 ? 'before the first vintage' : formatDate(parseTime(days[at]!, 'day'));
  return (
    <label class="as-of">
      <span>
        As known at the end of <strong>{text}</strong>{' '}
        <span class="quiet-text">({countText(days.length, 'date')})</span>
      </span>
      <input
        type="range"
        min={0}
        max={days.length}
        value={Math.max(0, at)}
        aria-valuetext={text}
        onInput={(event) => drag({ asof: days[Number(event.currentTarget.value)] ?? null })}
      />
    </label>
  );
}
