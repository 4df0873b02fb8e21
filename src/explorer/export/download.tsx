import { useSignal } from '@preact/signals';
import type { Line } from '../../charts/lines.js';
import { useCopy } from '../controls/copy-text.js';
import { Select } from '../controls/fields.js';
import { countText } from '../controls/format.js';
import { Failure } from '../controls/waiting.js';
import { currentTheme } from '../state/preferences.js';
import { stepsOf } from './code.js';
import { currentExport, drawable } from './exported.js';
import { arrowFile, csvFile, fileName, PICTURE_SIZES, parquetFile, pictureFile, saveFile } from './files.js';
import { citationOf } from './share.js';
import { toTabSeparated, wideCsvFile, wideTable, workbookFile } from './wide-table.js';

type PictureSize = keyof typeof PICTURE_SIZES;

const SIZES = Object.entries(PICTURE_SIZES).map(
  ([name, { width, height }]) => [name as PictureSize, `${name} (PNG ${2 * width} × ${2 * height})`] as const,
);

export function Download() {
  const scope = useSignal<'shown' | 'whole'>('shown');
  const size = useSignal<PictureSize>('document');
  const isSafe = useSignal(true);
  const isBusy = useSignal(false);
  const error = useSignal<unknown>(null);
  const tables = currentExport();
  const { lines = [], whole, cited = whole, request, title } = tables;
  const steps = request === null ? [] : stepsOf(request).map(({ words }) => words);
  const shownTitle = [...steps, title].join(' ').trim();
  const save = async (name: string, make: () => Promise<Blob>) => {
    isBusy.value = true;
    error.value = null;
    try {
      saveFile(await make(), name);
    } catch (failure) {
      error.value = failure;
    } finally {
      isBusy.value = false;
    }
  };
  const table = () => loaded(tables[scope.value]);
  const citation = () => citationOf(loaded(cited)).text;
  const picture = (format: 'png' | 'svg') =>
    pictureFile(drawable.peek()!, format, { size: size.value, theme: currentTheme(), citation: citation() });
  const button = (label: string, name: string, make: () => Promise<Blob>, isReady = true) => (
    <button type="button" disabled={isBusy.value || !isReady} onClick={() => save(name, make)}>
      {label}
    </button>
  );
  const nameOf = (ending: string) => fileName(shownTitle, ending);
  const tableName = (ending: string) => (scope.value === 'whole' ? fileName(title, ending) : nameOf(ending));
  const hasChart = drawable.value !== null;
  return (
    <div class="download">
      <fieldset class="choice">
        <legend>Figures</legend>
        {(['shown', 'whole'] as const).map(
          (one) =>
            tables[one] !== null && (
              <label key={one}>
                <input
                  type="radio"
                  name="scope"
                  checked={scope.value === one}
                  onChange={() => (scope.value = one)}
                />
                {tables.labels[one]} ({countText(tables[one].numRows, 'row')})
              </label>
            ),
        )}
        <label>
          <input type="checkbox" checked={isSafe.value} onChange={() => (isSafe.value = !isSafe.value)} />
          CSV for spreadsheets: put an apostrophe before names that look like formulas
        </label>
        <div class="buttons">
          {button('CSV', tableName('csv'), () => csvFile(table(), isSafe.value))}
          {button('Arrow', tableName('arrow'), () => arrowFile(table()))}
          {button('Parquet', tableName('parquet'), () => parquetFile(table()))}
        </div>
      </fieldset>
      {lines.length > 0 && (
        <fieldset class="choice">
          <legend>Spreadsheet with a column for each series</legend>
          <div class="buttons">
            {button('Wide CSV', nameOf('csv'), () => wideCsvFile(wideTable(lines), isSafe.value))}
            {button('Excel', nameOf('xlsx'), () => workbookFile(wideTable(lines), citation()))}
            <CopyTable lines={lines} />
          </div>
        </fieldset>
      )}
      <fieldset class="choice">
        <legend>Picture</legend>
        <Select label="For" value={size.value} options={SIZES} onChange={(chosen) => (size.value = chosen)} />
        <div class="buttons">
          {button('PNG', nameOf('png'), () => picture('png'), hasChart)}
          {button('SVG', nameOf('svg'), () => picture('svg'), hasChart)}
        </div>
        {!hasChart && <p class="quiet-text">This view has no chart; open the Chart tab to get one.</p>}
      </fieldset>
      {error.value !== null && (
        <Failure
          error={error.value}
          what="The file could not be created."
          onRetry={() => (error.value = null)}
        />
      )}
      <p class="quiet-text">
        Arrow and Parquet files contain the sources, their licences and a report of the retrieval. A picture
        shows the sources below the chart. With a CSV file, also copy the citation.
      </p>
    </div>
  );
}

function loaded<Value>(value: Value | null): Value {
  if (value === null) throw new Error('The values are still loading.');
  return value;
}

function CopyTable({ lines }: { lines: readonly Line[] }) {
  const [said, copy] = useCopy('Copy table');
  const copyRows = () => {
    const rows = wideTable(lines);
    const done = `${countText(rows.length - 1, 'row')} copied`;
    return copy(toTabSeparated(rows), done, () => 'This browser does not allow copying: download the CSV');
  };
  return (
    <button type="button" onClick={() => void copyRows()}>
      {said}
    </button>
  );
}
