import { useLayoutEffect, useRef } from 'preact/hooks';
import { helpShown } from './store';
import { text, type TextKey } from './text';

const keys: readonly [string, TextKey][] = [
  ['Alt+Enter', 'help.runOnce'], ['Alt+Backspace', 'help.refuse'], ['Esc', 'help.stop'], ['j k ↓ ↑', 'help.move'], ['Enter →', 'help.open'], ['←', 'help.shut'], ['/', 'help.search'], ['g g · G', 'help.ends'], ['c', 'help.copy'],
  ['Enter', 'help.composer'], ['Shift+Enter', 'help.newline'], ['Ctrl+Enter', 'help.sendNow'], ['↑', 'help.last'], ['?', 'help.help'],
];

export function Help() {
  const close = useRef<HTMLButtonElement>(null);
  const before = useRef(document.activeElement as HTMLElement | null);
  useLayoutEffect(() => {
    close.current?.focus();
    return () => before.current?.focus();
  }, []);
  return (
    <div class="overlay" role="dialog" aria-modal="true" aria-labelledby="help-title" onKeyDown={event => { if (event.key === 'Tab') event.preventDefault(); }}>
      <div class="spread"><h2 id="help-title">{text('help.title')}</h2><button ref={close} type="button" class="icon-button codicon codicon-close" aria-label={text('close')} onClick={() => { helpShown.value = false; }} /></div>
      <dl class="keys">{keys.map(([key, meaning]) => <div key={meaning}><dt>{key.split(' ').map((part, index) => (part === '·' ? ' ' : <kbd key={index}>{part}</kbd>))}</dt><dd>{text(meaning)}</dd></div>)}</dl>
    </div>
  );
}
