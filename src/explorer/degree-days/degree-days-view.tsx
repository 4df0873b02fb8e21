/** The panel of the tab. */
export function DegreeDaysView() {
  return <p class="notice">Degree: not built yet.</p>;
}
