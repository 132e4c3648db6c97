import type { FormatChoice } from '../../ports/profile';
import type { ToolSchema } from '../../ports/model';
import type { ReadCall, ReplyFormat } from '../../ports/replyFormat';
import { fencedFormat, taggedFormat } from './oneCommand';
import { strictToolCallFormat, toolCallFormat } from './toolCalls';
import { workgraphFormat } from './workgraph';

/**
 * ★ Reply format for each choice of a profile. `together`: whether two adjacent tool calls belong to one group.
 * `tools`: the tools that can be called.
 */
export function formatFor(
  choice: FormatChoice,
  together: (a: ReadCall, b: ReadCall) => boolean,
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
