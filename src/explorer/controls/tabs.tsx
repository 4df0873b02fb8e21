import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/**
 * Moves the focus between the buttons or fields of a list that is one Tab stop, if the key is one of the two arrow keys,
 * Home or End. Returns the index of the newly focused one.
 */
export function moveFocus(
  event: KeyboardEvent,
  [forth, back]: readonly [string, string],
): number | undefined {
  const all = [...(event.currentTarget as Element).querySelectorAll<HTMLElement>('button, input')];
  const at = all.indexOf(event.target as HTMLElement);
  const to = { [forth]: at + 1, [back]: at - 1, Home: 0, End: all.length - 1 }[event.key];
  if (to === undefined) return undefined;
  event.preventDefault();
  const next = (to + all.length) % all.length;
  all[next]!.focus();
  return next;
}

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
    const to = moveFocus(event, ['ArrowRight', 'ArrowLeft']);
    if (to !== undefined) onSelect(tabs[to]!.id);
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
