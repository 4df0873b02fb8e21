import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { announce } from './announce.js';

/** Renders a text to copy. Where the browser forbids copying, it is selected instead. */
export function CopyText({ label, text }: { label: string; text: string }) {
  const box = useRef<HTMLTextAreaElement>(null);
  const said = useSignal('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      said.value = 'Copied.';
    } catch {
      box.current?.select();
      said.value = 'Selected; copy it with the keyboard.';
    }
    announce(said.value);
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
        <button type="button" class="primary" onClick={() => void copy()}>
          Copy
        </button>{' '}
        <span class="quiet-text">{said.value}</span>
      </p>
    </div>
  );
}
