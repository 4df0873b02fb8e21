import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { announce } from './announce.js';

export function useCopy(initial = '') {
  const said = useSignal(initial);
  const copy = async (text: string, done: string, failed: () => string) => {
    try {
      await navigator.clipboard.writeText(text);
      said.value = done;
    } catch {
      said.value = failed();
    }
    announce(said.value);
  };
  return [said.value, copy] as const;
}

/** Renders text with a copy button. If the browser forbids copying, the text is selected instead. */
export function CopyText({ label, text }: { label: string; text: string }) {
  const box = useRef<HTMLTextAreaElement>(null);
  const [said, copy] = useCopy();
  const select = () => {
    box.current?.select();
    return 'The text is selected; copy it with the keyboard.';
  };
  return (
    <div class="copy-text">
      <textarea
        ref={box}
        readOnly
        spellcheck={false}
        aria-label={label}
        rows={Math.min(18, text.split('\n').length)}
        value={text}
      />
      <p>
        <button type="button" class="primary" onClick={() => void copy(text, 'Copied.', select)}>
          Copy
        </button>{' '}
        <span class="quiet-text">{said}</span>
      </p>
    </div>
  );
}
