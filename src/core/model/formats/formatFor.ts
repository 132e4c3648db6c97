import type { FormatChoice } from '../../ports/profile';
import type { ToolSchema } from '../../ports/model';
import type { Call, ReplyFormat } from '../../ports/replyFormat';
import { fencedFormat } from './fenced';
import { taggedFormat } from './tagged';
import { strictToolCallFormat, toolCallFormat } from './toolCalls';
import { workgraphFormat } from './workgraph';

/**
 * ★ The way actions are written into replies, for each choice a profile can make. `together`: which neighbouring tool
 * calls form a group. `tools`: what can be called.
 */
export function formatFor(
  choice: FormatChoice,
  together: (a: Call, b: Call) => boolean,
  tools: readonly ToolSchema[] = [],
): ReplyFormat {
  switch (choice.kind) {
    case 'tool_calls':
      return choice.strict ? strictToolCallFormat(together, tools) : toolCallFormat(together);
    case 'fenced':
      return fencedFormat(choice.label, choice.tool);
    case 'tagged':
      return taggedFormat(choice.tag, choice.tool);
    case 'workgraph':
      return workgraphFormat(choice.syntax, tools);
  }
}
