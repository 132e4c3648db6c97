import { secrets } from '../../core/secrets/secrets';

/** What broke, for a person to read. */
export const messageOf = (thrown: unknown): string =>
  secrets.mask(thrown instanceof Error ? thrown.message : String(thrown));

/** The same in full, for the output channel. */
export const storyOf = (thrown: unknown): string =>
  secrets.mask(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));
