import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

/** Renders a modal dialog. The focus moves into the dialog, stays there, and returns when the dialog closes. */
export function Dialog(props: { title: string; onClose: () => void; children: ComponentChildren }) {
  const { title, onClose, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // A layout effect opens the dialog before anything else can take the focus. An effect that runs after painting can be
  // too late on a busy machine.
  useLayoutEffect(() => {
    const shown = dialog.current!;
    shown.showModal();
    shown.querySelector<HTMLElement>('[role=combobox]')?.focus();
    return () => shown.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div class="dialog-head">
        <h2 id={titleId}>{title}</h2>
        <button type="button" class="quiet" onClick={onClose}>
          Close
        </button>
      </div>
      {children}
    </dialog>
  );
}
