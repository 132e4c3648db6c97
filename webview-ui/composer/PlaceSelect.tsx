import type { TaskPlace } from '../../src/protocol/panel/panel';
import { post } from '../base/host';
import { text } from '../base/text';
import { Icon } from '../parts/Icon';
import { events, facts } from '../state/store';

const places: readonly TaskPlace[] = ['workspace', 'worktree', 'worktree_uncommitted', 'best_of'];

/** Selects where the next task runs. For a started session, shows whether it works in a worktree. */
export function PlaceSelect() {
  const { place, worktree } = facts.value!;
  if (worktree !== undefined) {
    const words = text('composer.inWorktree', { folder: worktree });
    return (
      <span class="place-chip" data-testid="in-worktree" role="note" aria-label={words} title={words}>
        <Icon name="git-branch" />
        <span>{text('composer.place.worktree')}</span>
      </span>
    );
  }
  if (place === undefined || events.value.length > 0) return null;
  const { chosen, problem } = place;
  const label = text('composer.place');
  return (
    <span class="mode-box place-box">
      <Icon name="git-branch" />
      <select
        class="mode"
        data-testid="place"
        aria-label={problem === undefined ? label : `${label}. ${problem}`}
        title={problem ?? `${label}: ${text(`composer.place.${chosen}`)}`}
        value={chosen}
        onChange={(event) => post({ type: 'choose_place', place: event.currentTarget.value as TaskPlace })}
      >
        {places.map((each) => (
          <option key={each} value={each} disabled={problem !== undefined && each !== 'workspace'}>
            {text(`composer.place.${each}`)}
          </option>
        ))}
        {problem !== undefined && (
          <option value="" disabled>
            {problem}
          </option>
        )}
      </select>
      <Icon name="chevron-down" />
    </span>
  );
}
