/** The panel of the tab. */
export function RevisionsView() {
  return <p class="notice">Revisions: not built yet.</p>;
}
