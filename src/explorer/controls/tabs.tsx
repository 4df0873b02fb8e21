import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** Renders tabs above a panel. The arrow keys move between tabs and select them. */
export function Tabs<Id extends string>(props: {
  label: string;
  tabs: readonly { readonly id: Id; readonly label: string }[];
  selected: Id;
  onSelect: (id: Id) => void;
  children: ComponentChildren;
}) {
  const { label, tabs, selected, onSelect, children } = props;
  const move = (event: KeyboardEvent) => {
    const at = tabs.findIndex(({ id }) => id === selected);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = tabs[(to + tabs.length) % tabs.length]!;
    onSelect(next.id);
    document.getElementById(`tab-${next.id}`)?.focus();
  };
  const row = useRef<HTMLDivElement>(null);
  // Scrolls the selected tab to the centre if the row of tabs is wider than the screen.
  useEffect(() => {
    const tab = row.current?.querySelector<HTMLElement>('[aria-selected=true]');
    if (tab != null)
      row.current!.scrollLeft = tab.offsetLeft - (row.current!.clientWidth - tab.clientWidth) / 2;
  }, [selected]);
  return (
    <>
      <div ref={row} class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map(({ id, label: text }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`tab-${id}`}
            aria-selected={id === selected}
            aria-controls={`panel-${id}`}
            tabIndex={id === selected ? 0 : -1}
            onClick={() => onSelect(id)}
          >
            {text}
          </button>
        ))}
      </div>
      <div class="panel" role="tabpanel" id={`panel-${selected}`} aria-labelledby={`tab-${selected}`}>
        {children}
      </div>
    </>
  );
}
