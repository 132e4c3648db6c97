import { Icon } from '../parts/Icon';
import { linesIn, pastes, setPastes } from '../base/pastes';
import { text } from '../base/text';

/** Long texts that go with the next message. A click puts one back among the words. */
export function PasteStrip({ onExpand }: { onExpand(words: string): void }) {
  if (pastes.value.length === 0) return null;
  const without = (index: number): readonly string[] => pastes.value.filter((_, at) => at !== index);
  return (
    <div class="context-chips" data-testid="pastes">
      {pastes.value.map((pasted, index) => {
        const lines = linesIn(pasted).toLocaleString();
        return (
          <span key={index} class="paste-chip">
            <button
              type="button"
              class="context-chip"
              data-testid="paste-chip"
              title={`${text('paste.expand')}\n${pasted.slice(0, 400)}`}
              onClick={() => {
                setPastes(without(index));
                onExpand(pasted);
              }}
            >
              <Icon name="clippy" />
              <span>{text('paste.label', { lines })}</span>
            </button>
            <button
              type="button"
              class="icon-button codicon codicon-close"
              aria-label={text('paste.remove', { lines })}
              onClick={() => setPastes(without(index))}
            />
          </span>
        );
      })}
    </div>
  );
}
