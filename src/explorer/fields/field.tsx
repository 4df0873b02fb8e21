import type { ComponentChildren } from 'preact';

/** A control with its label before it. */
export function Field({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
    <label class="select">
      <span>{label}</span>
      {children}
    </label>
  );
}
