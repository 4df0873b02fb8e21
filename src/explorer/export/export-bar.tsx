import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { Dialog } from '../controls/dialog.js';
import { isWide } from '../controls/media.js';
import { useCopy } from '../controls/use-copy.js';
import { Lazy } from '../controls/waiting.js';
import { isChoosing } from '../find/nav.js';
import { currentAddress } from '../state/page.js';
import { currentExport } from './exported.js';

const PARTS = {
  share: { title: 'Share', load: () => import('./share.js').then(({ Share }) => Share) },
  download: { title: 'Download', load: () => import('./download.js').then(({ Download }) => Download) },
  code: { title: 'Code', load: () => import('./code-view.js').then(({ CodeView }) => CodeView) },
  cite: { title: 'Cite', load: () => import('./cite-view.js').then(({ CiteView }) => CiteView) },
} satisfies Record<string, { title: string; load: () => Promise<ComponentType> }>;

/** Renders the downloads, program, citation and link. On narrow screens, a button beside the search opens them. */
export function ExportBar() {
  const open = useSignal<keyof typeof PARTS | null>(null);
  const isSharing = useSignal(false);
  const [said, copy] = useCopy();
  const { request, shown, whole } = currentExport();
  const isEmpty = shown === null && whole === null && (request?.series ?? []).length === 0;
  const exports = (
    <>
      {(Object.keys(PARTS) as (keyof typeof PARTS)[]).map((id) => (
        <button key={id} type="button" disabled={isEmpty} onClick={() => (open.value = id)}>
          {PARTS[id].title}
        </button>
      ))}
      <button
        type="button"
        onClick={() =>
          void copy(
            currentAddress(),
            'The link was copied.',
            () => 'The link could not be copied; copy it from the address bar.',
          )
        }
      >
        Copy link
      </button>
      <span class="quiet-text">{said}</span>
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
        <Dialog title={PARTS[open.value].title} onClose={() => (open.value = null)}>
          <Lazy load={PARTS[open.value].load} />
        </Dialog>
      )}
    </footer>
  );
}
