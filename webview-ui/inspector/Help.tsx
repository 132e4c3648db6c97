import { KeysDialog } from '../parts/KeysDialog';
import { helpShown } from './state/store';
import { say } from './state/words';
import type { inspectorEnglish } from './state/english';

const keys: readonly [string, keyof typeof inspectorEnglish][] = [
  ['l ↓', 'help.next'],
  ['h ↑', 'help.previous'],
  ['Enter → ←', 'help.open'],
  ['j · k', 'help.scroll'],
  ['0 · $', 'help.ends'],
  ['L · H', 'help.runs'],
  ['r', 'help.reasoning'],
  ['R', 'help.reload'],
  ['e', 'help.text'],
  ['E', 'help.file'],
  ['/', 'help.find'],
  ['v', 'help.charts'],
  ['d', 'help.difference'],
  ['c', 'help.copy'],
  ['Esc', 'help.escape'],
  ['?', 'help.help'],
];

export const Help = () => (
  <KeysDialog
    title={say('help.title')}
    keys={keys.map(([key, meaning]) => [key, say(meaning)])}
    onClose={() => {
      helpShown.value = false;
    }}
  />
);
