import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { announce } from '../controls/announce.js';
import { Dialog } from '../controls/dialog.js';
import { isWide } from '../controls/media.js';
import { Lazy } from '../controls/waiting.js';
import { isChoosing } from '../find/nav.js';
import { SEARCH_ID } from '../find/search-box.js';
import { currentAddress, page } from '../state/page.js';
import { exported } from './exported.js';

const PARTS = {
  share: { title: 'Share', load: () => import('./share.js').then(({ Share }) => Share) },
  download: { title: 'Download', load: () => import('./download.js').then(({ Download }) => Download) },
  code: { title: 'Code', load: () => import('./code-view.js').then(({ CodeView }) => CodeView) },
  cite: { title: 'Cite', load: () => import('./cite-view.js').then(({ CiteView }) => CiteView) },
} satisfies Record<string, { title: string; load: () => Promise<ComponentType> }>;

/** The exports of the page: files, programs, a link, a citation. */
export function ExportBar() {
  const open = useSignal<keyof typeof PARTS | null>(null);
  const said = useSignal('');
  const { request, shown, whole } = exported();
  const isEmpty = shown === null && whole === null && (request?.series ?? []).length === 0;
  const copyLink = async () => {
    try {
      await navigator.clipboard.writeText(currentAddress());
      said.value = 'The link is copied.';
    } catch {
      said.value = 'The address bar has the link.';
    }
    announce(said.value);
  };
  return (
    <footer class="take-bar">
      {!isWide.value && (
        <>
          <button type="button" onClick={() => document.getElementById(SEARCH_ID)?.focus()}>
            Find
          </button>
          <button type="button" onClick={() => (isChoosing.value = true)}>
            Series ({page.value.series.length})
          </button>
        </>
      )}
      {(Object.keys(PARTS) as (keyof typeof PARTS)[]).map((id) => (
        <button key={id} type="button" disabled={isEmpty} onClick={() => (open.value = id)}>
          {PARTS[id].title}
        </button>
      ))}
      <button type="button" onClick={() => void copyLink()}>
        Copy link
      </button>
      <span class="quiet-text">{said.value}</span>
      <a class="docs" href="docs">
        API
      </a>
      {open.value !== null && (
        <Dialog title={PARTS[open.value].title} onClose={() => (open.value = null)}>
          <Lazy load={PARTS[open.value].load} />
        </Dialog>
      )}
    </footer>
  );
}
