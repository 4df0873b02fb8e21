import { useRef } from 'preact/hooks';
import { useCopy } from './use-copy.js';

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
