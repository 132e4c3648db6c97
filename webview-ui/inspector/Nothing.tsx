import { searchFor, runs, tags, searchWords } from './state/store';
import { say } from './state/words';

/** Placeholder for an empty list: loading, no rows, or no matches. */
export function Nothing() {
  const filtered = searchWords.value.trim() !== '' || tags.value.size > 0;
  if (!filtered)
    return (
      <p class="nothing dim" data-testid="nothing">
        {say(runs.value[0] ? 'run.empty' : 'run.loading')}
      </p>
    );
  return (
    <div class="nothing dim" data-testid="nothing">
      <p>{say('list.none')}</p>
      <button
        type="button"
        class="link"
        onClick={() => {
          searchFor('');
          tags.value = new Set();
        }}
      >
        {say('list.clear')}
      </button>
    </div>
  );
}
