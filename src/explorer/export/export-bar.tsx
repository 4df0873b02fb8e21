import { useSignal } from '@preact/signals';
import { Dialog } from '../controls/dialog.js';
import { ActionButton } from '../controls/fields.js';
import { isWide } from '../controls/media.js';
import { Lazy } from '../controls/waiting.js';
import { isChoosing } from '../find/pick.js';
import { currentExport } from './exported.js';

const LOADS = {
  Share: () => import('./share.js').then(({ Share }) => Share),
  Download: () => import('./download.js').then(({ Download }) => Download),
  Code: () => import('./share.js').then(({ CodeView }) => CodeView),
  Cite: () => import('./share.js').then(({ CiteView }) => CiteView),
};
const TITLES = Object.keys(LOADS) as (keyof typeof LOADS)[];

export function ExportBar() {
  const open = useSignal<keyof typeof LOADS | null>(null);
  const { request, parts } = currentExport();
  const isEmpty = parts.length === 0 && (request?.series ?? []).length === 0;
  const reason = isEmpty ? 'This view has no values yet. Choose what to show first.' : null;
  const buttons = TITLES.map((title) => (
    <ActionButton key={title} reason={reason} onClick={() => (open.value = title)}>
      {title}
    </ActionButton>
  ));
  const docs = (
    <a class="docs" href="docs">
      API
    </a>
  );
  return (
    <footer class="take-bar">
      {isWide.value ? (
        [buttons, docs]
      ) : (
        <>
          <button type="button" class="primary" onClick={() => (isChoosing.value = true)}>
            Find
          </button>
          {buttons[0]}
        </>
      )}
      {open.value !== null && (
        <Dialog title={open.value} onClose={() => (open.value = null)}>
          {!isWide.value && (
            <nav class="buttons" aria-label="Exports">
              {buttons}
              {docs}
            </nav>
          )}
          <Lazy key={open.value} load={LOADS[open.value]} />
        </Dialog>
      )}
    </footer>
  );
}
