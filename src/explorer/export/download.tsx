import { useSignal } from '@preact/signals';
import { linesWithValues } from '../../charts/frame-lines.js';
import type { Line } from '../../charts/lines.js';
import { useCopy } from '../controls/copy-text.js';
import { countText } from '../controls/format.js';
import { currentTheme } from '../controls/media.js';
import { Failure } from '../controls/waiting.js';
import { stepsOf } from './code.js';
import { currentExport, drawable, viewExport } from './exported.js';
import { arrowFile, csvFile, fileName, pictureFile, saveFile } from './files.js';
import { citationOf } from './share.js';
import { toTabSeparated, wideCsvFile, wideTable, workbookFile } from './wide-table.js';

export function Download() {
  const scope = useSignal<'shown' | 'whole'>('shown');
  const error = useSignal<unknown>(null);
  const tables = currentExport();
  const { request, shown, title } = tables;
  // Wide tables, with a column for each series, have the stored units, as the long CSV does.
  const lines = shown === null || viewExport.value !== null ? [] : linesWithValues(shown, true);
  const table = tables[scope.value];
  const steps = request === null ? [] : stepsOf(request).map(({ words }) => words);
  const shownTitle = [...steps, title].join(' ').trim();
  const chart = drawable.value;
  const save = async (name: string, make: () => Blob | Promise<Blob>) => {
    error.value = null;
    try {
      saveFile(await make(), name);
    } catch (failure) {
      error.value = failure;
    }
  };
  const button = (label: string, make: (() => Blob | Promise<Blob>) | null, name = shownTitle) => (
    <button
      type="button"
      disabled={make === null}
      onClick={() => save(fileName(name, ENDINGS[label] ?? label.toLowerCase()), make!)}
    >
      {label}
    </button>
  );
  const citation = () => citationOf(tables);
  const picture = (format: 'png' | 'svg') =>
    chart && (() => pictureFile(chart, format, { theme: currentTheme(), citation: citation() }));
  const tableTitle = scope.value === 'whole' ? title : shownTitle;
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
        <div class="buttons">
          {button('CSV', table && (() => csvFile(table)), tableTitle)}
          {button('Arrow', table && (() => arrowFile(table)), tableTitle)}
        </div>
      </fieldset>
      {lines.length > 0 && (
        <fieldset class="choice">
          <legend>Spreadsheet with a column for each series</legend>
          <div class="buttons">
            {button('Wide CSV', () => wideCsvFile(wideTable(lines)))}
            {button('Excel', () => workbookFile(wideTable(lines), citation()))}
            <CopyTable lines={lines} />
          </div>
        </fieldset>
      )}
      <fieldset class="choice">
        <legend>Picture</legend>
        <div class="buttons">
          {button('PNG', picture('png'))}
          {button('SVG', picture('svg'))}
        </div>
        {chart === null && <p class="quiet-text">This view has no chart; open the Chart tab to get one.</p>}
      </fieldset>
      {error.value !== null && (
        <Failure
          error={error.value}
          what="The file could not be created."
          onRetry={() => (error.value = null)}
        />
      )}
      <p class="quiet-text">
        Arrow files contain the sources, their licences and a report of the retrieval. A picture shows the
        sources below the chart. With a CSV file, also copy the citation.
      </p>
    </div>
  );
}

const ENDINGS: Readonly<Record<string, string>> = { 'Wide CSV': 'wide.csv', Excel: 'xlsx' };

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
