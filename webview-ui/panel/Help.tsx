import { KeysDialog } from '../parts/KeysDialog';
import { helpShown } from '../state/store';
import { text, type TextKey } from '../base/text';

const keys: readonly [string, TextKey][] = [
  ['Alt+Enter', 'help.runOnce'],
  ['Alt+Backspace', 'help.refuse'],
  ['Esc', 'help.stop'],
  ['j k ↓ ↑', 'help.move'],
  ['Enter →', 'help.open'],
  ['←', 'help.shut'],
  ['/ Ctrl+F', 'help.search'],
  ['g g · G', 'help.ends'],
  ['r', 'help.restore'],
  ['c', 'help.copy'],
  ['Enter', 'help.composer'],
  ['Shift+Enter', 'help.newline'],
  ['Ctrl+Enter', 'help.sendNow'],
  ['↑', 'help.last'],
  ['?', 'help.help'],
];

export const Help = () => (
  <KeysDialog
    title={text('help.title')}
    keys={keys.map(([key, meaning]) => [key, text(meaning)])}
    onClose={() => {
      helpShown.value = false;
    }}
  />
);
