import { useSignal } from '@preact/signals';
import { Select } from '../controls/fields.js';
import { plural } from '../controls/format.js';
import { Failure } from '../controls/waiting.js';
import { currentAddress, page } from '../state/page.js';
import { shownTheme } from '../state/preferences.js';
import { citationOf } from './cite-view.js';
import { drawable, exported } from './exported.js';
import { fileName, PICTURE_SIZES, pictureFile, saveFile, TABLE_FORMATS } from './files.js';

/** Files of the view, and of all points of its series. */
export function Download() {
  const scope = useSignal<(typeof SCOPES)[number]>('shown');
  const size = useSignal<keyof typeof PICTURE_SIZES>('document');
  const isSafe = useSignal(true);
  const isBusy = useSignal(false);
  const error = useSignal<unknown>(null);
  const tables = exported();
  const shownTitle = [...(tables.made ?? []), tables.title].join(' ');
  const save = async <Format extends string>(format: Format, make: (format: Format) => Promise<Blob>) => {
    isBusy.value = true;
    error.value = null;
    try {
      const isStored = scope.value === 'whole' && format in TABLE_FORMATS;
      saveFile(await make(format), fileName(isStored ? tables.title : shownTitle, format));
    } catch (failure) {
      error.value = failure;
    } finally {
      isBusy.value = false;
    }
  };
  const tableFile = async (format: keyof typeof TABLE_FORMATS) => {
    const table = tables[scope.value];
    if (table === null) throw new Error('The figures are not there yet.');
    return TABLE_FORMATS[format](table, isSafe.value);
  };
  const chartFile = async (format: 'png' | 'svg') => {
    const make = drawable.peek();
    const { whole, cited: table = whole } = tables;
    if (make === null || table === null) throw new Error('No chart is shown.');
    const { text } = citationOf(table, { link: currentAddress(), asof: page.peek().asof });
    return pictureFile(make, format, { size: size.value, theme: shownTheme(), citation: text });
  };
  const button = <Format extends keyof typeof LABELS>(
    format: Format,
    make: (format: Format) => Promise<Blob>,
    isReady = true,
  ) => (
    <button key={format} type="button" disabled={isBusy.value || !isReady} onClick={() => save(format, make)}>
      {LABELS[format]}
    </button>
  );
  return (
    <div class="download">
      <fieldset class="choice">
        <legend>Figures</legend>
        {SCOPES.filter((one) => tables[one] !== null).map((one) => (
          <label key={one}>
            <input
              type="radio"
              name="scope"
              checked={scope.value === one}
              onChange={() => (scope.value = one)}
            />
            {tables.labels[one]} ({plural(tables[one]?.numRows ?? 0, 'row')})
          </label>
        ))}
        <label>
          <input type="checkbox" checked={isSafe.value} onChange={() => (isSafe.value = !isSafe.value)} />
          CSV for spreadsheets: an apostrophe before names that look like formulas
        </label>
        <div class="buttons">
          {(['csv', 'arrow', 'parquet'] as const).map((format) => button(format, tableFile))}
        </div>
      </fieldset>
      <fieldset class="choice">
        <legend>Picture</legend>
        <Select
          label="For"
          value={size.value}
          options={Object.entries(PICTURE_SIZES).map(([name, { width, height }]) => [
            name as keyof typeof PICTURE_SIZES,
            `${name} (PNG ${2 * width} × ${2 * height})`,
          ])}
          onChange={(chosen) => (size.value = chosen)}
        />
        <div class="buttons">
          {(['png', 'svg'] as const).map((format) => button(format, chartFile, drawable.value !== null))}
        </div>
        {drawable.value === null && (
          <p class="quiet-text">This view has no chart; open the Chart tab for one.</p>
        )}
      </fieldset>
      {error.value !== null && (
        <Failure
          error={error.value}
          what="The file could not be made."
          onRetry={() => (error.value = null)}
        />
      )}
      <p class="quiet-text">
        Arrow and Parquet hold source, licence and the report of the retrieval; a picture has the source below
        it. For a CSV, copy the citation.
      </p>
    </div>
  );
}

const SCOPES = ['shown', 'whole'] as const;
const LABELS = { csv: 'CSV', arrow: 'Arrow', parquet: 'Parquet', png: 'PNG', svg: 'SVG' } as const;
