import { useMemo } from 'preact/hooks';
import type { ExplainedWeights } from '../../agronomy/models/crop-weighting.js';
import { breaksOf, classColours } from '../../charts/map-colours.js';
import { Awaited } from '../controls/waiting.js';
import { isPlaced, loadPlaces, type MapPlace } from '../map/map-data.js';
import { MapDrawing } from '../map/map-drawing.js';
import { bindSetting, page } from '../state/page.js';
import { currentTheme } from '../state/preferences.js';
import { resource } from '../state/resource.js';

const places = resource(() => {
  const { regions } = page.value.weights;
  return regions.length === 0 ? null : regions;
}, loadPlaces);

/** Renders a map of the weights. A click on a region removes it from the selection. */
export function WeightMap({ weights }: { weights: ExplainedWeights }) {
  return (
    <Awaited resource={places} failure="The shapes could not be loaded." loading="Loading the shapes">
      {(found) => <ShapedWeights weights={weights} places={found} />}
    </Awaited>
  );
}

function ShapedWeights({
  weights: { regions, weights },
  places: found,
}: {
  weights: ExplainedWeights;
  places: ReadonlyMap<number, MapPlace>;
}) {
  const { drawn, values, breaks } = useMemo(() => {
    const drawn = regions.map(
      ({ id, name }) => found.get(id) ?? { id, name, level: null, polygons: [], centre: null },
    );
    const percent = weights.map((weight) => Math.round(weight * 1000) / 10);
    const values = drawn.map((region, at) => ({ region, value: percent[at]!, isOlder: false }));
    return { drawn, values, breaks: breaksOf(percent, 'auto') };
  }, [regions, weights, found]);
  const unplaced = drawn.filter((region) => !isPlaced(region));
  const { value: chosen, onChange } = bindSetting('weights', 'regions');
  return (
    <>
      <MapDrawing
        regions={drawn}
        colours={classColours(breaks, currentTheme())}
        breaks={breaks}
        values={values}
        unit="%"
        label={`Weights of ${regions.length} regions, up to ${Math.max(...values.map(({ value }) => value))} %`}
        hint="Point at a region to see its weight, or click it to remove it."
        onPick={(id) => onChange(chosen.filter((one) => one !== id))}
      />
      {unplaced.length > 0 && (
        <p class="quiet-text">Location unknown: {unplaced.map(({ name }) => name).join(', ')}.</p>
      )}
    </>
  );
}
