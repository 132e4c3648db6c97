import type { GivenOption } from '../../calls/options';
import { refuse, type Scope } from '../../effects/scope';
import { temporaryFileAt } from '../../effects/temporaryFiles';
import { resolvePlace } from '../../syntax/place';
import type { Value } from '../../syntax/value';

/** A part of the line that may create a folder. */
const creates = /\b(?:clone|init|mkdir|worktree|mktemp)\b/;

/** Returns whether a folder is a temporary one, but not of this session. */
function mayBePlanted(folder: Value, { context, cwd, text }: Scope): boolean {
  const owner = temporaryFileAt(resolvePlace(folder, cwd, context), context);
  const isMade = owner === 'none' && creates.test(text);
  return owner !== undefined && owner !== 'ours' && !isMade;
}

/** Refuses a repository in a temporary folder that `names` chooses: its settings can start programs. */
export function refusePlanted(options: readonly GivenOption[], names: RegExp, scope: Scope): void {
  for (const { name, value } of options)
    if (value && names.test(name) && mayBePlanted(value, scope))
      refuse(scope, value.source, 'Uses the settings of a repository that another program may have made.');
}
