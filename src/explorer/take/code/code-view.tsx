import { useSignal } from '@preact/signals';
import { CopyText } from '../../parts/copy-text.js';
import { Tabs } from '../../parts/tabs.js';
import { seriesName } from '../../state/names.js';
import { page } from '../../state/page.js';
import { requestOf } from '../../state/request.js';
import { host } from '../../state/service.js';
import { codeOf, LANGUAGES, type Language } from './code.js';

const TABS = LANGUAGES.map((id) => ({
  id,
  label: { typescript: 'TypeScript', python: 'Python', curl: 'curl' }[id],
}));

/** The view as a program, in several languages. */
export function CodeView() {
  const language = useSignal<Language>('typescript');
  const request = requestOf(page.value);
  const code = codeOf(language.value, { request, host, names: request.series.map(seriesName) });
  return (
    <Tabs label="Language" tabs={TABS} selected={language.value} onSelect={(id) => (language.value = id)}>
      <CopyText label="Program" text={code} />
    </Tabs>
  );
}
