import { createHash } from 'node:crypto';
import type { Tool as GivenTool } from '../../../api/waymark';
import { untilAborted } from '../../adapters/processes/untilAborted';
import { addedTool } from '../../core/tools/addedTool';
import { schemaMisfit } from '../../core/tools/calls/schemaMisfit';
import type { Tool, ToolContext, ToolResult } from '../../core/ports/tool';
import type { ToolSource } from '../../core/tools/toolSources';
import type { Assessment } from '../../protocol/events/event';
import { extensionLabel } from './callingExtension';
import type { Contribution } from './contributions';

type ContributedTool = Contribution<GivenTool>;

/** Tools that other extensions registered. */
export function contributedTools(contributed: { readonly all: readonly ContributedTool[] }): ToolSource {
  const made = new WeakMap<ContributedTool, Tool>();
  const toolOf = (contribution: ContributedTool): Tool => {
    const tool = made.get(contribution) ?? madeOf(contribution, () => contributed.all.includes(contribution));
    made.set(contribution, tool);
    return tool;
  };
  return { tools: () => contributed.all.map(toolOf) };
}

function madeOf({ by, value: tool }: ContributedTool, isThere: () => boolean): Tool {
  const { name, description, parameters, effect = 'executes' } = tool;
  const source = `the extension ${by.id === '' ? 'without a name' : extensionLabel(by)}`;
  const hash = createHash('sha256')
    .update(JSON.stringify([by.id, name, description, parameters]))
    .digest('hex');
  return addedTool({
    name: `ext_${name}`,
    description,
    parameters,
    effect,
    from: { source, tool: name, hash },
    risk: riskOf(tool, source),
    allowKey: hash,
    // The tool's own summary is never shown alone, because it may be misleading.
    ...(tool.summarize && {
      summarize: (input) => [ownSummary(tool, input), `(${name} of ${source})`].filter(Boolean).join(' '),
    }),
    run: async (input, context) => {
      if (!isThere())
        throw new Error(
          `The tool ${name} is no longer available: ${source} removed it or was disabled. Continue without it.`,
        );
      const wrong = schemaMisfit(parameters, input);
      if (wrong !== undefined) throw new Error(`Invalid input for ${name}: ${wrong}.`);
      return answerOf(tool, input, context, source);
    },
  });
}

/** Assesses a call. Its answer counts as untrusted, and its input as sent outside the workspace. */
function riskOf({ effect = 'executes', risk }: Pick<GivenTool, 'effect' | 'risk'>, source: string): Assessment {
  const reach = { untrusted: [source], network: [source] };
  if (effect === 'reads')
    return {
      level: risk ?? 'low',
      reasons: risk === undefined || risk === 'low' ? [] : [`Has ${risk} risk according to its extension.`],
      reach,
    };
  if (risk === undefined)
    return { level: 'unknown', reasons: [`Calls a tool of ${source}, which does not state its risk.`], reach };
  return {
    level: risk === 'high' ? 'high' : 'medium',
    reasons: [`Calls a tool of ${source}, which can do anything that extension can.`],
    reach,
  };
}

function ownSummary(contributed: GivenTool, input: Record<string, unknown>): string | undefined {
  try {
    const words: unknown = contributed.summarize!(structuredClone(input));
    const line = typeof words === 'string' ? words.replace(/\s+/g, ' ').trim() : '';
    return line === '' ? undefined : line.slice(0, 200);
  } catch {
    return undefined;
  }
}

async function answerOf(
  contributed: GivenTool,
  input: Record<string, unknown>,
  { environment, signal, progress }: ToolContext,
  source: string,
): Promise<ToolResult> {
  const context = Object.freeze({
    folder: environment.root,
    signal,
    progress: (text: string) => progress(String(text)),
  });
  const answer: unknown = await untilAborted(Promise.resolve(contributed.run(structuredClone(input), context)), signal);
  const { content, failed } =
    typeof answer === 'string'
      ? { content: answer, failed: false }
      : ((answer ?? {}) as { content?: unknown; failed?: unknown });
  if (typeof content !== 'string') throw new Error(`The tool ${contributed.name} of ${source} returned no text.`);
  return { content, details: { kind: 'note', text: firstLine(content) }, ...(failed === true && { failed: true }) };
}

export const firstLine = (text: string): string => text.trim().split('\n', 1)[0]!.slice(0, 200);
