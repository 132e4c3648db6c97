import { textOf } from './fields';
import type { SkillLocation } from './locations';

/** When a file is meant to be used, as far as it says so: the patterns as they are written, in which field, or that it holds for everything. */
export interface Meant {
  readonly paths: unknown;
  readonly field: string;
  readonly always: boolean;
}

/** Other agents say "globs" with "alwaysApply: true", or "applyTo", where "**" is everything. `said`: fields with their names in lower case. */
export function meantFor(
  said: Readonly<Record<string, unknown>>,
  { pathsField }: Pick<SkillLocation, 'pathsField'>,
): Meant {
  const field = pathsField === undefined || 'paths' in said ? 'paths' : pathsField.toLowerCase();
  const paths = said[field];
  const always =
    pathsField === 'globs'
      ? textOf(said['alwaysapply'])?.toLowerCase() === 'true'
      : field === 'applyto' && textOf(paths)?.trim() === '**';
  return { field, always, paths: always ? undefined : paths };
}

/** Some sort their triggers: "triggers: { keywords: [a, b] }". */
export const keywordsIn = (triggers: unknown): unknown =>
  typeof triggers === 'object' && triggers !== null && Object.keys(triggers).join() === 'keywords'
    ? (triggers as { keywords: unknown }).keywords
    : triggers;
