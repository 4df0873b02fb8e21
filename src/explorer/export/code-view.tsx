import { useSignal } from '@preact/signals';
import { CopyText } from '../controls/copy-text.js';
import { Tabs } from '../controls/tabs.js';
import { host } from '../state/service.js';
import { callCode, codeOf, LANGUAGES, type Language } from './code.js';
import { currentExport } from './exported.js';

const TABS = Object.entries(LANGUAGES).map(([id, { label }]) => ({ id: id as Language, label }));

/**
 * Renders a program that retrieves the displayed values, in several languages. If the client computes the values, only
 * TypeScript is available.
 */
export function CodeView() {
  const language = useSignal<Language>('typescript');
  const { request, names = [], notes, call } = currentExport();
  const own = call && callCode(host, call);
  if (request === null)
    return (
      <>
        <p class="quiet-text">
          The cropframe client computes these values, so the program is available only in TypeScript.
        </p>
        <CopyText label="Program" text={own ?? ''} />
      </>
    );
  const isOwn = own !== undefined && language.value === 'typescript';
  const code = isOwn ? own : codeOf(language.value, { request, host, names, notes });
  return (
    <Tabs label="Language" tabs={TABS} selected={language.value} onSelect={(id) => (language.value = id)}>
      <CopyText label="Program" text={code} />
    </Tabs>
  );
}
