import type { Tool } from '../../../ports/tool';
import type { CallArguments } from '../callArguments';

/**
 * What agents call a tool and its arguments. Reading is one and the same for every dialect, so each word has one
 * meaning here; what a word means only in some agents' mouths is decided by `CallArguments.called`.
 */
export interface Vocabulary {
  readonly tool: Tool;
  /** Names of tools elsewhere that do the same. Capitals, `_`, `-` and `.` do not count. */
  readonly names: readonly string[];
  /** The input of the tool. What cannot be carried out is refused at the arguments; what is left there is strange. */
  read(args: CallArguments): Record<string, unknown>;
}

/** Without arguments that were not given. */
export function given(input: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}
