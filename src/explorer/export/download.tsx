import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { frameTexts, linesWithValues } from '../../charts/frame-lines.js';
import { useCopy } from '../controls/copy-text.js';
import { ActionButton } from '../controls/fields.js';
import { countText } from '../controls/format.js';
import { currentTheme } from '../controls/media.js';
import { Failure } from '../controls/waiting.js';
import { page } from '../state/page.js';
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
  const button = (label: string, ending: string, reason: string | null, make: () => Blob | Promise<Blob>) => (
    <ActionButton
      reason={reason}
      onClick={async () => {
        error.value = null;
        try {
          files.saveFile(await make(), files.fileName(...titleOf(part), ending));
        } catch (failure) {
          error.value = failure;
        }
      }}
    >
      {label}
    </ActionButton>
  );
  const citation = () => citationOf(exported);
  const picture = (format: 'png' | 'svg') => {
    const reason = chart === null ? 'This view has no chart; open the Chart tab to get one.' : null;
    const draw = () => files.pictureFile(chart!, format, { theme: currentTheme(), citation: citation() });
    return button(format.toUpperCase(), format, reason, draw);
  };
  const noRows = rows === undefined ? 'This view has no values to save yet.' : null;
  const stored = parts.find((one) => one.points !== null)?.label;
  const noPoints =
    points == null && stored
      ? `The page computes these values. For stored values, choose “${stored}”.`
      : noRows;
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
          {button('CSV', 'csv', noRows, () => files.tableCsvFile(rows!))}
          {button('Excel', 'xlsx', noRows, () => files.workbookFile(rows!, citation()))}
          <ActionButton reason={noRows} onClick={copyTable}>
            {said}
          </ActionButton>
          {button('Long CSV', 'long.csv', noPoints, () => files.csvFile(points!))}
          {button('Arrow', 'arrow', noPoints, () => files.arrowFile(points!))}
        </div>
        <p class="quiet-text">
          CSV, Excel and the copied table have {countText((rows?.length ?? 1) - 1, 'row')}. Long CSV and Arrow
          have a row for each value, with its ids, dates and names.
        </p>
      </fieldset>
      <fieldset class="choice">
        <legend>Picture</legend>
        <div class="buttons">
          {picture('png')}
          {picture('svg')}
        </div>
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

const MAX_LABELS = 3;

/** Returns a file's title and details, which differ between files with different values. */
function titleOf(part: ExportedPart | undefined): readonly [title: string, detail: string] {
  const { asof } = page.peek();
  const detail = [part?.detail, asof && `as known ${asof}`].filter(Boolean).join(' ');
  if (part?.points == null || part.title !== undefined) return [part?.title ?? '', detail];
  // The names in a frame say how its values are derived from the stored values. Its title has only shared names.
  const labels = linesWithValues(part.points).map(({ label }) => label);
  const more = labels.length > MAX_LABELS ? [`${labels.length - MAX_LABELS} more`] : [];
  const differing = labels.length < 2 ? [] : [...labels.slice(0, MAX_LABELS), ...more];
  return [[frameTexts(part.points, {}).title, ...differing].join(' '), detail];
}

const tableOf = ({ table, points, lines }: ExportedPart) =>
  table?.() ?? seriesTable(lines ?? linesWithValues(points!));
