import { useEffect } from 'preact/hooks';
import { Icon } from '../parts/Icon';
import { goesAlong, settleFor, turn, type OpenPart } from '../state/openParts';
import { state } from '../state/store';
import { counted, text } from '../base/text';

/** What is open in the editor, each part to be taken out of messages and put back. */
export function OpenChips() {
  const { editor, others, sessionId } = state.value;
  useEffect(() => settleFor(sessionId), [sessionId]);
  if (editor === undefined && others.length === 0) return null;
  const many = counted(editor === undefined ? 'composer.open' : 'composer.alsoOpen', others.length);
  return (
    <div class="context-chips">
      {editor !== undefined && <Chip part="editor" icon="file" words={editor} />}
      {others.length > 0 && <Chip part="others" icon="files" words={many} names={others} />}
    </div>
  );
}

function Chip({
  part,
  icon,
  words,
  names = [],
}: {
  part: OpenPart;
  icon: string;
  words: string;
  names?: readonly string[];
}) {
  const on = goesAlong(part);
  const help = text(on ? 'composer.editorHelp' : 'composer.editorOffHelp');
  return (
    <button
      type="button"
      class={on ? 'context-chip' : 'context-chip off'}
      data-testid={`${part}-chip`}
      aria-pressed={on}
      aria-label={names.length > 0 ? `${words}: ${names.join(', ')}` : undefined}
      title={[help, ...names].join('\n')}
      onClick={() => turn(part)}
    >
      <Icon name={on ? icon : 'circle-slash'} />
      <span>{words}</span>
      <Icon name={on ? 'close' : 'add'} />
    </button>
  );
}
