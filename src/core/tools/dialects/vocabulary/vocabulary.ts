import type { Tool } from '../../../ports/tool';
import type { CallArguments } from '../callArguments';

/**
 * Names that agents use for a tool and its arguments. All dialects share one parser, so each word has one meaning.
 * Words whose meaning depends on the agent are resolved by `CallArguments.called`.
 */
export interface Vocabulary {
  readonly tool: Tool;
  /** Names of equivalent tools in other agents. Case, `_`, `-` and `.` are ignored. */
  readonly names: readonly string[];
  /** Returns the tool's input. Unsupported arguments are refused through `args`; arguments not taken are unknown. */
  read(args: CallArguments): Record<string, unknown>;
}

/** Removes undefined properties. */
export function withoutUndefined(input: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}
