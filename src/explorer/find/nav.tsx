import { useSignal } from '@preact/signals';
import { Dialog } from '../parts/dialog.js';
import { Failure } from '../parts/failure.js';
import { useIsWide } from '../parts/use-is-wide.js';
import { page } from '../state/page.js';
import { FACETS } from '../state/view-state.js';
import { AsOfField } from './as-of-field.js';
import { Chips } from './chips.js';
import { FacetList } from './facet-list.js';
import { facets } from './facets.js';
import { KeptViews } from './kept-views.js';
import { MatchingList } from './matching-list.js';
import { pickProblem, proposeFirstView } from './pick.js';

/** What is chosen, and the lists in which it is narrowed down: beside the figure, or in a dialog where there is no room. */
export function Nav() {
  const isWide = useIsWide();
  const isOpen = useSignal(false);
  if (isWide)
    return (
      <nav class="nav" aria-label="Choose series">
        <Choices />
      </nav>
    );
  const { series } = page.value;
  return (
    <nav class="nav-narrow" aria-label="Choose series">
      <button type="button" onClick={() => (isOpen.value = true)}>
        Series ({series.length})
      </button>
      <AsOfField />
      {isOpen.value && (
        <Dialog title="Choose series" className="full" onClose={() => (isOpen.value = false)}>
          <Choices />
        </Dialog>
      )}
    </nav>
  );
}

function Choices() {
  const { error } = facets.loaded.value;
  return (
    <>
      {pickProblem.value !== null && (
        <Failure
          error={pickProblem.value}
          what="The series could not be listed."
          onRetry={() => {
            pickProblem.value = null;
            void proposeFirstView();
          }}
        />
      )}
      <Chips />
      <MatchingList />
      {error !== null && (
        <Failure error={error} what="The lists could not be loaded." onRetry={facets.retry} />
      )}
      {FACETS.map((facet) => (
        <FacetList key={facet} facet={facet} />
      ))}
      <KeptViews />
    </>
  );
}
