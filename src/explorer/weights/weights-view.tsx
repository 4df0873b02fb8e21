/** The panel of the tab. */
export function WeightsView() {
  return <p class="notice">Weights: not built yet.</p>;
}
