import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { text } from '../../base/text';

/** Form for a reason and an alternative, sent to the model with the refusal. */
export function NoteForm({
  disabled,
  onSend,
  onCancel,
}: {
  disabled: boolean;
  onSend: (note: string) => void;
  onCancel: () => void;
}) {
  const [note, setNote] = useState('');
  const box = useRef<HTMLTextAreaElement>(null);
  // Immediately, because the next key is already meant for the text box.
  useLayoutEffect(() => box.current?.focus(), []);
  return (
    <div class="note-form">
      <textarea
        ref={box}
        class="grow"
        rows={2}
        aria-label={text('approval.note')}
        placeholder={text('approval.note')}
        value={note}
        onInput={(event) => setNote(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.shiftKey && !event.altKey && !event.isComposing) {
            event.preventDefault();
            onSend(note.trim());
          }
        }}
      />
      <div class="buttons">
        <button
          type="button"
          class="primary"
          data-testid="send-note"
          aria-disabled={disabled}
          onClick={() => onSend(note.trim())}
        >
          {text('approval.sendNote')}
        </button>
        <button type="button" class="secondary" onClick={onCancel}>
          {text('cancel')}
        </button>
      </div>
    </div>
  );
}
