import type { ConfirmationMode, Mode } from '../../src/protocol/events/event';
import { Icon } from '../parts/Icon';
import { post } from '../base/host';
import { facts } from '../state/store';
import { text, type TextKey } from '../base/text';

/** Modes and confirmation levels, combined in one list. */
export type ModeChoice = 'risky' | 'always' | 'auto' | 'plan' | 'human';

/** Never asking counts as mode `auto`, whichever setting caused it. */
const modeChoiceOf = (mode: Mode, confirmation: ConfirmationMode): ModeChoice =>
  mode !== 'confirm' ? mode : confirmation === 'never' ? 'auto' : confirmation;

const modeWords = (choice: ModeChoice): string => text(`header.mode.${choice}` satisfies TextKey);

const option = (choice: ModeChoice) => (
  <option key={choice} value={choice}>
    {modeWords(choice)}
  </option>
);

export function ModeSelect() {
  const { mode, confirmation, writable } = facts.value!;
  const chosen = modeChoiceOf(mode, confirmation);
  const choose = (choice: ModeChoice): void =>
    post(
      choice === 'risky' || choice === 'always'
        ? { type: 'set_mode', mode: 'confirm', confirmation: choice }
        : { type: 'set_mode', mode: choice },
    );
  return (
    <span class="mode-box">
      <select
        class={`mode ${chosen}`}
        data-testid="mode"
        aria-label={text('header.mode')}
        title={`${text('header.mode')}: ${modeWords(chosen)}`}
        value={chosen}
        disabled={!writable}
        onChange={(event) => choose(event.currentTarget.value as ModeChoice)}
      >
        <optgroup label={text('header.mode.confirm')}>{(['risky', 'always'] as const).map(option)}</optgroup>
        {(['auto', 'plan', 'human'] as const).map(option)}
      </select>
      <Icon name="chevron-down" />
    </span>
  );
}
