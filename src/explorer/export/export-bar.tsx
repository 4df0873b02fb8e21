import { useSignal } from '@preact/signals';
import { Dialog } from '../controls/dialog.js';
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
  const isSharing = useSignal(false);
  const { request, parts } = currentExport();
  const isEmpty = parts.length === 0 && (request?.series ?? []).length === 0;
  const exports = (
    <>
      {TITLES.map((title) => (
        <button key={title} type="button" disabled={isEmpty} onClick={() => (open.value = title)}>
          {title}
        </button>
      ))}
      <a class="docs" href="docs">
        API
      </a>
    </>
  );
  return (
    <footer class="take-bar">
      {isWide.value ? (
        exports
      ) : (
        <>
          <button type="button" class="primary" onClick={() => (isChoosing.value = true)}>
            Find
          </button>
          <button type="button" onClick={() => (isSharing.value = true)}>
            Share
          </button>
          {isSharing.value && (
            <Dialog title="Share" onClose={() => (isSharing.value = false)}>
              <div class="buttons">{exports}</div>
            </Dialog>
          )}
        </>
      )}
      {open.value !== null && (
        <Dialog title={open.value} onClose={() => (open.value = null)}>
          <Lazy load={LOADS[open.value]} />
        </Dialog>
      )}
    </footer>
  );
}
