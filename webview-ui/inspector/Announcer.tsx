import { signal } from '@preact/signals';

const said = signal('');

/** Says something to a screen reader, politely; the last words count. */
export function announce(words: string): void {
  said.value = said.value === words ? `${words}\u00a0` : words;
}

export const Announcer = () => (
  <div class="visually-hidden" role="status" aria-live="polite" data-testid="announcer">
    {said.value}
  </div>
);
