import { signal } from '@preact/signals';

const announcement = signal('');

/** Announces a message to screen readers, politely; a later message replaces an earlier one. */
export function announce(words: string): void {
  announcement.value = announcement.value === words ? `${words}\u00a0` : words;
}

export const Announcer = () => (
  <div class="visually-hidden" role="status" aria-live="polite" data-testid="announcer">
    {announcement.value}
  </div>
);
