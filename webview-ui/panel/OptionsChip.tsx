import type { NextTask } from '../../src/protocol/panel/panel';
import { Icon } from '../parts/Icon';
import { post } from '../base/host';
import { text } from '../base/text';

/** How the next task will be worked on, in a few words; a click lets a person choose. */
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
