import { seriesLabels } from '../../frame/table/short-labels.js';
import { MAX_SERIES } from '../../model/chart-choices.js';
import { ofAnyFrequency, type SeriesKey, seriesKeyOf } from '../../model/series.js';
import { Dialog } from '../controls/dialog.js';
import { DateField } from '../controls/fields.js';
import { countText, WRITE } from '../controls/format.js';
import { isWide } from '../controls/media.js';
import { TickList } from '../controls/tick-list.js';
import { Failure } from '../controls/waiting.js';
import { nameOf, namesOf, seriesName, TYPES, unknownNames } from '../state/names.js';
import { bindState, linkProblems, page } from '../state/page.js';
import { colourOf, shown } from '../state/points.js';
import {
  distinctSeries,
  EMPTY_STATE,
  FACETS,
  type Facet,
  toggled,
  WITHOUT_SERIES,
} from '../state/view-state.js';
import { facets, isFiltered, matching } from './facets.js';
import { isChoosing, pickFilters, pickNotes, pickProblem, toggleSeries } from './pick.js';
import { SearchBox } from './search-box.js';
import { proposeFirstView } from './stories.js';

/** Renders the shown series and the filters beside the figure or, on narrow screens, in a dialog with the search. */
export function Nav() {
  const choices = [<SeriesList key="series" />, <FilterLists key="filters" />];
  if (!isWide.value)
    return (
      isChoosing.value && (
        <Dialog title="Find" onClose={() => (isChoosing.value = false)}>
          <SearchFields />
          {choices}
        </Dialog>
      )
    );
  if (WITHOUT_SERIES.includes(page.value.view)) return null;
  return (
    <nav class="nav" aria-label="Choose series">
      {choices}
    </nav>
  );
}

/** Renders errors, notes on how the search was interpreted, and the ignored parts of a link. */
export function PickReport() {
  const unknown = unknownNames();
  const ignored = [
    ...linkProblems.value,
    ...(unknown.length === 0 ? [] : [`Unknown to the service: ${unknown.join(', ')}.`]),
  ];
  const ofLink = ignored.length === 0 ? [] : [`Part of the link was ignored. ${ignored.join(' ')}`];
  const notes = [...ofLink, ...pickNotes.value].join(' ');
  const retry = () => {
    pickProblem.value = null;
    void proposeFirstView();
  };
  return (
    <>
      {pickProblem.value !== null && (
        <Failure error={pickProblem.value} what="The series could not be listed." onRetry={retry} />
      )}
      {/* Always rendered, because screen readers announce only changes to an existing element. */}
      <div role="status">{notes !== '' && <p class="notice">{notes}</p>}</div>
    </>
  );
}

/** Renders the search and the as-of date, in the header or, on narrow screens, in a dialog. */
export function SearchFields() {
  return (
    <>
      <search class="search">
        <SearchBox />
      </search>
      {/* On narrow screens, pressing Enter in the field closes the dialog. */}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          isChoosing.value = false;
        }}
      >
        <DateField label="As known at the end of" edge="last" {...bindState('asof')} />
      </form>
    </>
  );
}

function SeriesList() {
  const { series } = page.value;
  const fitting = isFiltered.value ? (matching.loaded.value.value ?? []) : [];
  const all = distinctSeries([...series, ...fitting.map(seriesKeyOf)]);
  const rest = all.slice(series.length);
  const [labels, labelsOfAll] = [series, all].map((some) => seriesLabels(some.map(namesOf)));
  const total = facets.loaded.value.value?.series ?? 0;
  return (
    <div class="shown-series">
      <section aria-label="Chosen series">
        <h2>{series.length === 0 ? 'No series' : countText(series.length, 'series', 'series')}</h2>
        <TickList
          rows={series}
          label="Chosen series"
          tickOf={(one) => ({
            name: labels![series.indexOf(one)]!,
            title: seriesName(one),
            colour: colourOf(one),
            count: <LatestValue of={one} />,
            isTicked: true,
            toggle: () => toggleSeries(one),
          })}
        />
      </section>
      {rest.length > 0 && (
        <section aria-label="Matching series">
          <h2>More that match the filters</h2>
          <TickList
            rows={rest}
            more={fitting.length === 0 ? 0 : total - fitting.length}
            label="Matching series"
            tickOf={(one) => ({
              name: labelsOfAll![all.indexOf(one)]!,
              title: seriesName(one),
              isTicked: false,
              toggle: () => toggleSeries(one),
            })}
          />
        </section>
      )}
      {series.length >= MAX_SERIES && <p class="quiet-text">A view can show at most {MAX_SERIES} series.</p>}
    </div>
  );
}

/** Renders a drawn series' latest value, transformed as in the chart, or nothing if a formula combines two series. */
function LatestValue({ of }: { of: SeriesKey }) {
  if (page.value.formula !== 'none') return null;
  const lines = shown.loaded.value.value?.lines ?? [];
  const line = lines.find(({ key }) => ofAnyFrequency(key) === ofAnyFrequency(of));
  const row = line?.value.findLastIndex((value) => !Number.isNaN(value)) ?? -1;
  if (line === undefined || row < 0) return null;
  return (
    <span title={`${WRITE.period(line.start[row]!, line.end[row]!)}, ${line.unit}`}>
      {WRITE.quantity(line.value[row]!, '', line.figures ?? line.value)}
    </span>
  );
}

function FilterLists() {
  const { filters } = page.value;
  const { value: found, error } = facets.loaded.value;
  const restricting = FACETS.filter((facet) => filters[facet].length > 0);
  const lists = FACETS.filter(
    (facet) => filters[facet].length > 0 || (found?.[TYPES[facet]].length ?? 2) > 1,
  );
  const isEmpty = found?.series === 0 && restricting.length > 0;
  return (
    <details class="filters" open={isEmpty}>
      <summary>
        Filters
        {restricting.length > 0 && <span class="count">{restricting.length} set</span>}
      </summary>
      {error !== null && (
        <Failure error={error} what="The lists could not be loaded." onRetry={facets.retry} />
      )}
      {isEmpty && <p class="notice">No series matches all of these filters. Clear one of the ticks.</p>}
      {restricting.length > 0 && (
        <button type="button" class="quiet" onClick={() => void pickFilters(EMPTY_STATE.filters)}>
          Clear filters
        </button>
      )}
      {lists.map((facet) => (
        <FacetList key={facet} facet={facet} />
      ))}
    </details>
  );
}

function FacetList({ facet }: { facet: Facet }) {
  const chosen = page.value.filters[facet];
  const { value: found, isLoading } = facets.loaded.value;
  const values = found?.[TYPES[facet]] ?? [];
  // Chosen values come first, even if no series with these values match the other filters.
  const first = chosen.map(
    (id) => values.find((value) => value.id === id) ?? { id, name: nameOf(facet, id), series: 0 },
  );
  const rows = [...first, ...values.filter(({ id }) => !chosen.includes(id))];
  const title = facet[0]!.toUpperCase() + facet.slice(1);
  return (
    <details class="facet" open={facet !== 'source' && facet !== 'frequency'}>
      <summary>
        {title}
        {chosen.length > 0 && <span class="count">{WRITE.number(chosen.length)} chosen</span>}
      </summary>
      <TickList
        rows={rows}
        more={found?.more[TYPES[facet]] ?? 0}
        label={title}
        tickOf={({ id, name, series }) => ({
          name,
          count: WRITE.number(series),
          isTicked: chosen.includes(id),
          toggle: () => void pickFilters({ ...page.peek().filters, [facet]: toggled(chosen, id) }),
        })}
      />
      {rows.length === 0 && <p class="quiet-text">{isLoading ? 'Loading …' : 'There is no data here.'}</p>}
    </details>
  );
}
