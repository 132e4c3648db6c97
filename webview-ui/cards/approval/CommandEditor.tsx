import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { text } from '../../base/text';

interface CommandEditorProps {
  readonly command: string;
  readonly runLabel: string;
  readonly disabled: boolean;
  readonly onRun: (command: string) => void;
  readonly onCancel: () => void;
}

/**
 * Editor for a command that the person wants to run instead. Enter inserts a line break, so that nothing runs by
 * accident.
 */
export function CommandEditor({ command, runLabel, disabled, onRun, onCancel }: CommandEditorProps) {
  const [words, setWords] = useState(command);
  const box = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    box.current?.focus();
    box.current?.setSelectionRange(command.length, command.length);
  }, []);
  const isReady = words.trim() !== '' && !disabled;
  const run = (): void => {
    if (isReady) onRun(words);
  };
  return (
    <div class="note-form">
      <textarea
        ref={box}
        class="grow code-font"
        rows={2}
        spellcheck={false}
        data-testid="edit-command-box"
        aria-label={text('approval.editBox')}
        aria-describedby="edit-command-help"
        value={words}
        onInput={(event) => setWords(event.currentTarget.value)}
        onKeyDown={(event) => {
          const isRun = event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.isComposing;
          if (!isRun) return;
          event.preventDefault();
          event.stopPropagation();
          run();
        }}
      />
      <p class="dim" id="edit-command-help">
        {text('approval.editHelp')}
      </p>
      <div class="buttons">
        <button
          type="button"
          class="primary"
          data-testid="run-edited"
          aria-disabled={!isReady}
          title="Ctrl+Enter"
          onClick={run}
        >
          {runLabel}
        </button>
        <button type="button" class="secondary" data-testid="cancel-edit" onClick={onCancel}>
          {text('cancel')}
        </button>
      </div>
    </div>
  );
}
