import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { frameTexts, linesWithValues } from '../../charts/frame-lines.js';
import { useCopy } from '../controls/copy-text.js';
import { countText } from '../controls/format.js';
import { currentTheme } from '../controls/media.js';
import { Failure } from '../controls/waiting.js';
import { seriesTable } from '../table/series-table.js';
import { currentExport, drawable, type ExportedPart } from './exported.js';
import * as files from './files.js';
import { citationOf } from './share.js';

export function Download() {
  const chosen = useSignal(0);
  const error = useSignal<unknown>(null);
  const exported = currentExport();
  const { parts } = exported;
  const at = Math.min(chosen.value, parts.length - 1);
  const part = parts[at];
  const rows = useMemo(
    () => part && files.fileTable(tableOf(part)),
    [part?.points, part?.lines, part?.table],
  );
  const points = part?.points;
  const [said, copy] = useCopy('Copy table');
  const copyTable = () =>
    copy(
      files.toTabSeparated(rows!),
      `${countText(rows!.length - 1, 'row')} copied`,
      () => 'This browser does not allow copying: download the CSV',
    );
  const chart = drawable.value;
  // The names in a frame say how its values are derived from the stored values.
  const title = part?.title ?? (points ? frameTexts(points, {}).title : '');
  const button = (label: string, ending: string, make: false | (() => Blob | Promise<Blob>)) => (
    <button
      type="button"
      disabled={make === false}
      onClick={async () => {
        error.value = null;
        try {
          if (make !== false) files.saveFile(await make(), files.fileName(title, ending));
        } catch (failure) {
          error.value = failure;
        }
      }}
    >
      {label}
    </button>
  );
  const citation = () => citationOf(exported);
  const picture = (format: 'png' | 'svg') =>
    chart !== null &&
    (() => files.pictureFile(chart, format, { theme: currentTheme(), citation: citation() }));
  return (
    <div class="download">
      <fieldset class="choice">
        <legend>Figures</legend>
        {parts.map(({ label }, i) => (
          <label key={label}>
            <input type="radio" name="part" checked={i === at} onChange={() => (chosen.value = i)} />
            {label}
          </label>
        ))}
        <div class="buttons">
          {button('CSV', 'csv', rows !== undefined && (() => files.tableCsvFile(rows)))}
          {button('Excel', 'xlsx', rows !== undefined && (() => files.workbookFile(rows, citation())))}
          <button type="button" disabled={rows === undefined} onClick={() => void copyTable()}>
            {said}
          </button>
          {button('Long CSV', 'long.csv', points != null && (() => files.csvFile(points)))}
          {button('Arrow', 'arrow', points != null && (() => files.arrowFile(points)))}
        </div>
        <p class="quiet-text">
          CSV, Excel and the copied table have {countText((rows?.length ?? 1) - 1, 'row')}. Long CSV and Arrow
          have a row for each stored value, with its ids, dates and names.
        </p>
      </fieldset>
      <fieldset class="choice">
        <legend>Picture</legend>
        <div class="buttons">
          {button('PNG', 'png', picture('png'))}
          {button('SVG', 'svg', picture('svg'))}
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
        Excel and Arrow files contain the sources and their licences. A picture shows the sources below the
        chart. With a CSV file, also copy the citation.
      </p>
    </div>
  );
}

const tableOf = ({ table, points, lines }: ExportedPart) =>
  table?.() ?? seriesTable(lines ?? linesWithValues(points!));
