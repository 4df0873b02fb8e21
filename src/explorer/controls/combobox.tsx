import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';

interface ComboOption {
  readonly key: string;
  readonly name: string;
  readonly content: ComponentChildren;
}

interface ComboboxProps<Option extends ComboOption> {
  readonly label: string;
  readonly placeholder: string;
  readonly inputId: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly options: readonly Option[];
  /** Whether the options are for text that has since changed. If so, Enter waits for the new options. */
  readonly isStale: boolean;
  /** The content shown instead of options, or null if there are options. */
  readonly note: ComponentChildren;
  readonly onPick: (option: Option, adds: boolean) => void;
  /** Whether options can be added to the current selection. */
  readonly canAdd: boolean;
}

/** Renders a text field with a list of options below it (ARIA combobox). The focus stays in the field. */
export function Combobox<Option extends ComboOption>(props: ComboboxProps<Option>) {
  const { options, onPick, onText } = props;
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const listId = useId();
  const box = useRef<HTMLDivElement>(null);
  const active = isOpen ? options[at] : undefined;
  const waiting = useRef<{ adds: boolean } | null>(null);
  useEffect(() => {
    const wanted = waiting.current;
    waiting.current = props.isStale ? wanted : null;
    const [first] = options;
    if (!props.isStale && wanted !== null && first !== undefined) pick(first, wanted.adds);
  }, [props.isStale]);
  const pick = (option: Option, adds: boolean) => {
    onPick(option, adds);
    setOpen(false);
    setAt(-1);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const move = (to: number) => {
      event.preventDefault();
      setOpen(true);
      setAt(options.length === 0 ? -1 : (to + options.length) % options.length);
    };
    if (event.key === 'ArrowDown') move(at + 1);
    else if (event.key === 'ArrowUp') move(at <= 0 ? options.length - 1 : at - 1);
    else if (event.key === 'Enter' && at < 0 && props.isStale) {
      event.preventDefault();
      waiting.current = { adds: event.altKey };
    } else if (event.key === 'Enter' && isOpen && options.length > 0) {
      event.preventDefault();
      pick(options[Math.max(0, at)]!, event.altKey);
    } else if (event.key === 'Escape') {
      if (!isOpen && props.text !== '') onText('');
      if (isOpen || props.text !== '') event.preventDefault();
      setOpen(false);
      setAt(-1);
    }
  };
  const hasList = isOpen && (options.length > 0 || props.note !== null);
  return (
    <div
      ref={box}
      class="combobox"
      onFocusOut={(event) => {
        if (!box.current?.contains(event.relatedTarget as Node | null)) setOpen(false);
      }}
    >
      <input
        id={props.inputId}
        type="text"
        role="combobox"
        aria-label={props.label}
        aria-expanded={hasList}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={active === undefined ? undefined : `${listId}-${at}`}
        autocomplete="off"
        spellcheck={false}
        placeholder={props.placeholder}
        value={props.text}
        onInput={(event) => {
          waiting.current = null;
          onText(event.currentTarget.value);
          setOpen(true);
          setAt(-1);
        }}
        onFocus={() => setOpen(props.text !== '')}
        onClick={() => setOpen(true)}
        onKeyDown={onKeyDown}
      />
      <div class="combobox-list" hidden={!hasList}>
        <div id={listId} role="listbox" aria-label={props.label}>
          {options.map((option, i) => (
            // biome-ignore lint/a11y/noStaticElementInteractions: keeps the focus in the field
            <div
              key={option.key}
              class="combobox-row"
              role="presentation"
              onMouseDown={(event) => event.preventDefault()}
              onMouseMove={() => setAt(i)}
            >
              {/* biome-ignore lint/a11y/useFocusableInteractive: focus stays in the field, as in an ARIA combobox */}
              {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys */}
              <div
                id={`${listId}-${i}`}
                role="option"
                aria-selected={i === at}
                onClick={(event) => pick(option, event.altKey)}
              >
                {option.content}
              </div>
              {props.canAdd && (
                // biome-ignore lint/a11y/useFocusableInteractive: Alt+Enter in the field adds the option
                // biome-ignore lint/a11y/useKeyWithClickEvents: Alt+Enter in the field adds the option
                <div
                  role="option"
                  class="add"
                  aria-selected={false}
                  aria-label={`Add ${option.name}`}
                  onClick={() => pick(option, true)}
                >
                  + Add
                </div>
              )}
            </div>
          ))}
        </div>
        {props.note !== null && <p class="combobox-note">{props.note}</p>}
      </div>
    </div>
  );
}
