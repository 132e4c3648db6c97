import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { post } from '../base/host';
import { facts } from '../state/store';
import { text } from '../base/text';

/** Title of the session; a click edits it. */
export function Title() {
  const { title = '', writable = false, sessionId } = facts.value ?? {};
  const [editing, setEditing] = useState(false);
  const cancelled = useRef(false);
  const button = useRef<HTMLButtonElement>(null);
  /** True if editing ended by a key, after which the focus returns to the title. */
  const endedByKey = useRef(false);
  useLayoutEffect(() => {
    if (!editing && endedByKey.current) button.current?.focus();
    endedByKey.current = false;
  }, [editing]);
  const shown = title || text('header.untitled');
  if (!editing) {
    return (
      <h1 class="title">
        {writable && sessionId !== undefined ? (
          <button
            ref={button}
            type="button"
            class="title-button"
            data-testid="title"
            title={`${shown}\n${text('header.rename')}`}
            onClick={() => setEditing(true)}
          >
            {shown}
          </button>
        ) : (
          <span title={shown}>{shown}</span>
        )}
      </h1>
    );
  }
  const done = (value: string): void => {
    setEditing(false);
    if (!cancelled.current && value.trim() && value.trim() !== title)
      post({ type: 'rename', title: value.trim().slice(0, 500) });
    cancelled.current = false;
  };
  return (
    <input
      class="title-input"
      data-testid="title-input"
      aria-label={text('header.title')}
      defaultValue={title}
      maxLength={500}
      ref={(element) => element?.focus()}
      onBlur={(event) => done(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.isComposing) return;
        const isEscape = event.key === 'Escape';
        if (!isEscape && event.key !== 'Enter') return;
        if (isEscape) event.stopPropagation();
        cancelled.current = isEscape;
        // The key must not press the button that appears.
        event.preventDefault();
        endedByKey.current = true;
        event.currentTarget.blur();
      }}
    />
  );
}
