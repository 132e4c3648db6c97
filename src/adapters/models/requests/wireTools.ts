import type { ModelRequest, ToolSchema } from '../../../core/ports/model';
import { fitSchema, type FittedSchema } from '../../../core/model/providers/fitSchema';
import type { SchemaSubset, WireRules } from '../../../core/model/providers/provider';
import { errorMessage } from '../../../core/text/errorMessage';

/** A tool as sent in a request: these fields only, even if the tool has more. */
export interface WireTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Record<string, unknown>;
}

const nameThatFits = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;

type Request = Pick<ModelRequest, 'messages' | 'tools' | 'formerTools' | 'onNotice'>;
type ToolRules = Pick<WireRules, 'schema' | 'maxTools' | 'formerTools'>;

/** The tools of a request; `callable` is false if they are only declared. */
interface WireTools {
  readonly tools: readonly WireTool[];
  readonly callable: boolean;
}

/** Writes tools for one provider. Tools that it cannot accept are omitted; the user is told once about each. */
export function toolWriter(): (request: Request, rules: ToolRules) => WireTools {
  const reported = new Set<string>();
  const leaveOut = (name: string, why: string, request: Pick<ModelRequest, 'onNotice'>): void => {
    if (reported.has(name)) return;
    reported.add(name);
    request.onNotice?.(`The tool ${name} is not offered to the model: ${why}.`);
  };
  return (request, rules) => {
    const { messages, tools, formerTools = [] } = request;
    const callable = tools.length > 0 || !rules.formerTools || !messages.some((message) => message.role === 'tool');
    const written = (callable ? tools : formerTools).flatMap((tool) => {
      const { wire, problem } = wireTool(tool, rules.schema);
      if (problem !== undefined) leaveOut(tool.name, problem, request);
      return wire ?? [];
    });
    for (const { name } of written.slice(rules.maxTools))
      leaveOut(name, `the server accepts at most ${rules.maxTools} tools`, request);
    return { tools: written.slice(0, rules.maxTools), callable };
  };
}

interface Written {
  readonly wire?: WireTool;
  readonly problem?: string;
}

type Fitted = FittedSchema | { readonly problem: string };

/**
 * Schemas are adapted once. They remain the same objects from request to request, while the tools around them are
 * created again.
 */
const fitted = new WeakMap<object, Map<SchemaSubset, Fitted>>();

function fittedOnce(parameters: Record<string, unknown>, subset: SchemaSubset): Fitted {
  const known = fitted.get(parameters) ?? new Map<SchemaSubset, Fitted>();
  fitted.set(parameters, known);
  const made = known.get(subset) ?? fittedFor(parameters, subset);
  known.set(subset, made);
  return made;
}

function fittedFor(parameters: Record<string, unknown>, subset: SchemaSubset): Fitted {
  try {
    return fitSchema(parameters, subset);
  } catch (thrown) {
    return { problem: errorMessage(thrown) };
  }
}

function wireTool({ name, description, parameters }: ToolSchema, subset: SchemaSubset): Written {
  if (!nameThatFits.test(name))
    return { problem: 'its name has characters that model servers refuse, or more than 64' };
  const made = fittedOnce(parameters, subset);
  if ('problem' in made) return made;
  return { wire: { name, description: [description, made.note].filter(Boolean).join(' '), parameters: made.schema } };
}
