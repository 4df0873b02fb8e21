/** The panel of the tab. */
export function MapView() {
  return <p class="notice">Map: not built yet.</p>;
}
