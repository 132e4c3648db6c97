import { signal } from '@preact/signals';

const said = signal('');

/** Announces a message to screen readers, politely; a later message replaces an earlier one. */
export function announce(words: string): void {
  said.value = said.value === words ? `${words}\u00a0` : words;
}

export const Announcer = () => (
  <div class="visually-hidden" role="status" aria-live="polite" data-testid="announcer">
    {said.value}
  </div>
);
