// Chips next to the composer: the open editor, pasted long texts, and options of the next task.

import { computed } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Icon } from '../parts/Icon';
import { isPartSent, keepChoiceFor, togglePart, type OpenPart } from '../state/openParts';
import { sessionId, state } from '../state/store';
import { counted, text } from '../base/text';
import { lineCount, pastes, setPastes } from '../base/pastes';
import type { NextTask } from '../../src/protocol/panel/panel';
import { post } from '../base/host';

const inEditor = computed(() => state.value.editor);
const inTabs = computed(() => state.value.others);

/** Open editors, each of which can be excluded from messages. */
export function OpenChips() {
  const editor = inEditor.value;
  const others = inTabs.value;
  const session = sessionId.value;
  useEffect(() => keepChoiceFor(session), [session]);
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
  const on = isPartSent(part);
  const help = text(on ? 'composer.editorHelp' : 'composer.editorOffHelp');
  return (
    <button
      type="button"
      class={on ? 'context-chip' : 'context-chip off'}
      data-testid={`${part}-chip`}
      aria-pressed={on}
      aria-label={names.length > 0 ? `${words}: ${names.join(', ')}` : undefined}
      title={[help, ...names].join('\n')}
      onClick={() => togglePart(part)}
    >
      <Icon name={on ? icon : 'circle-slash'} />
      <span>{words}</span>
      <Icon name={on ? 'close' : 'add'} />
    </button>
  );
}

/** Long texts for the next message. A click moves one back into the text box. */
export function PasteStrip({ onExpand }: { onExpand(words: string): void }) {
  if (pastes.value.length === 0) return null;
  const without = (index: number): readonly string[] => pastes.value.filter((_, at) => at !== index);
  return (
    <div class="context-chips" data-testid="pastes">
      {pastes.value.map((pasted, index) => {
        const lines = lineCount(pasted).toLocaleString();
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

/** Short summary of the next task's options; a click changes them. */
export function OptionsChip({ next }: { next: NextTask }) {
  const { profile, candidates, verifier, toolsets, disabledToolsets } = next;
  const words = [
    text('composer.profile', { name: profile }),
    candidates > 1 && text('composer.candidates', { n: candidates, how: text(`composer.${verifier}`) }),
    toolsets.length > 0 && text('composer.toolsets', { names: toolsets.join(', ') }),
    disabledToolsets.length > 0 && text('composer.without', { names: disabledToolsets.join(', ') }),
  ]
    .filter(Boolean)
    .join(' · ');
  return (
    <button
      type="button"
      class="options-chip"
      data-testid="options"
      title={`${text('composer.options')}\n${words}`}
      aria-label={`${text('composer.options')}: ${words}`}
      onClick={() => post({ type: 'command', id: 'waymark.chooseOptions' })}
    >
      <Icon name="settings" />
      <span>{words}</span>
    </button>
  );
}
