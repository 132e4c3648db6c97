import { useLayoutEffect, useRef } from 'preact/hooks';
import { helpShown } from './store';
import { say } from './words';
import type { inspectorEnglish } from './english';
import { text } from '../text';

const keys: readonly [string, keyof typeof inspectorEnglish][] = [
  ['l ↓', 'help.next'], ['h ↑', 'help.previous'], ['Enter → ←', 'help.open'], ['j · k', 'help.scroll'], ['0 · $', 'help.ends'], ['L · H', 'help.runs'], ['r', 'help.reasoning'], ['R', 'help.reload'],
  ['e', 'help.text'], ['E', 'help.file'], ['/', 'help.find'], ['v', 'help.charts'], ['d', 'help.difference'], ['c', 'help.copy'], ['Esc', 'help.escape'], ['?', 'help.help'],
];

export function Help() {
  const close = useRef<HTMLButtonElement>(null);
  const before = useRef(document.activeElement as HTMLElement | null);
  useLayoutEffect(() => {
    close.current?.focus();
    return () => before.current?.focus();
  }, []);
  return (
    <div class="overlay" role="dialog" aria-modal="true" aria-labelledby="help-title" data-testid="help" onKeyDown={event => { if (event.key === 'Tab') event.preventDefault(); }}>
      <div class="spread"><h2 id="help-title">{say('help.title')}</h2><button ref={close} type="button" class="icon-button codicon codicon-close" aria-label={text('close')} onClick={() => { helpShown.value = false; }} /></div>
      <dl class="keys">{keys.map(([key, meaning]) => <div key={meaning}><dt>{key.split(' ').map((part, index) => (part === '·' ? ' ' : <kbd key={index}>{part}</kbd>))}</dt><dd>{say(meaning)}</dd></div>)}</dl>
    </div>
  );
}
