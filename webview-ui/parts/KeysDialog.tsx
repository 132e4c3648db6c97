import { useLayoutEffect, useRef } from 'preact/hooks';
import { text } from '../base/text';

interface KeysProps {
  readonly title: string;
  /** Keys, separated by spaces (a dot is a gap), and their actions. */
  readonly keys: readonly (readonly [string, string])[];
  readonly onClose: () => void;
}

/** List of keyboard shortcuts. Traps the focus while it is open and restores it afterwards. */
export function KeysDialog({ title, keys, onClose }: KeysProps) {
  const close = useRef<HTMLButtonElement>(null);
  const before = useRef(document.activeElement as HTMLElement | null);
  useLayoutEffect(() => {
    close.current?.focus();
    return () => before.current?.focus();
  }, []);
  return (
    <div
      class="overlay"
      role="dialog"
      aria-modal="true"
      aria-labelledby="help-title"
      data-testid="help"
      onKeyDown={(event) => {
        if (event.key === 'Tab') event.preventDefault();
      }}
    >
      <div class="spread">
        <h2 id="help-title">{title}</h2>
        <button
          ref={close}
          type="button"
          class="icon-button codicon codicon-close"
          aria-label={text('close')}
          onClick={onClose}
        />
      </div>
      <dl class="keys">
        {keys.map(([key, meaning]) => (
          <div key={meaning}>
            <dt>{key.split(' ').map((part, index) => (part === '·' ? ' ' : <kbd key={index}>{part}</kbd>))}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
