import { signal } from '@preact/signals';
import { Icon } from './cards/Icon';
import { keep, kept } from './host';
import { state } from './store';
import { text } from './text';

/** Whether what is open in the editor goes with the next message. The person's choice holds until they choose otherwise. */
export const withEditor = signal(kept()?.withoutEditor !== true);

export function EditorChip() {
  const { editor } = state.value;
  if (editor === undefined) return null;
  const on = withEditor.value;
  return (
    <button type="button" class={on ? 'context-chip' : 'context-chip off'} data-testid="editor-chip" aria-pressed={on} title={text(on ? 'composer.editorHelp' : 'composer.editorOffHelp')}
      onClick={() => { withEditor.value = !on; keep({ withoutEditor: on }); }}>
      <Icon name={on ? 'file' : 'circle-slash'} /><span>{editor}</span><Icon name={on ? 'close' : 'add'} />
    </button>
  );
}
