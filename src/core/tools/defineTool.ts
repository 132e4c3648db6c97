import type { Environment } from '../ports/environment';
import type { Need, Touches, ToolContext, ToolResult, Question, Tool } from '../ports/tool';
import * as z from 'zod';
import type { ActionEffect, Assessment } from '../../protocol/events/event';
import { isRecord } from '../text/parseJson';
import { builtSchema } from './calls/builtSchemas';
import { InputProblem, inputFaults, isIgnoredArgument } from './calls/inputFaults';
import { schemaMisfit, boundWords } from './calls/schemaMisfit';

interface ToolSpec<Schema extends z.ZodType> {
  readonly name: string;
  readonly description: string;
  readonly input: Schema;
  /** A valid example for error messages, if the minimal input that the JSON Schema allows is not valid. */
  readonly example?: z.input<Schema> & Readonly<Record<string, unknown>>;
  /** Converts alternative input shapes that models often send to the shape of the schema, before parsing. */
  accept?(raw: unknown): unknown;
  readonly effect: ActionEffect;
  /** Parts of a call to display while the model is still writing it; see `Tool`. */
  readonly streamedArguments?: Tool['streamedArguments'];
  /** Port that the tool needs. It is not offered if the port is missing. */
  readonly needs?: Need;
  /** File extension that the tool works on; see `Tool`. */
  readonly offeredFor?: string;
  /**
   * Set if the tool affects another machine or something that outlives the session. A permission for the same kind of
   * action in the folder does not cover it.
   */
  readonly lasting?: true;
  /**
   * Set if `allowKey` names the only place that a call can reach. A permanent permission then allows nothing else, so
   * it may be granted even if the call itself cannot be judged.
   */
  readonly keepsToKey?: true;
  /** Set if a call runs after the other calls of its reply and ends the task only if they succeeded; see `Tool`. */
  readonly endsAfterOthers?: true;
  /** Set if a session with this tool receives the notes of earlier sessions. */
  readonly recallsNotes?: true;
  /** Returns one line for people about what this call will do: "Edit src/add.ts". */
  summarize(input: z.output<Schema>): string;
  /** Returns what the call touches. Default: nothing. */
  touches?(input: z.output<Schema>): Touches;
  /** Finds what the call touches if only the environment can tell; see `BoundTool`. */
  findTouches?(input: z.output<Schema>, environment: Environment, signal: AbortSignal): Promise<Touches>;
  /** Returns the tool's own risk estimate. Default: low. Analyzers may raise it. */
  assess?(input: z.output<Schema>): Assessment;
  /**
   * Returns the key that identifies equal calls for "always allow". If absent or undefined, this call cannot be allowed
   * permanently.
   */
  allowKey?(input: z.output<Schema>): string | undefined;
  /**
   * For tools that run commands: returns the same call with a command edited by a person, or undefined if the call
   * starts no command.
   */
  withCommand?(input: z.output<Schema>, command: string): z.input<Schema> | undefined;
  /** For tools that ask the user: returns the question. */
  question?(input: z.output<Schema>): Question;
  run(input: z.output<Schema>, context: ToolContext): Promise<ToolResult>;
}

export function defineTool<Schema extends z.ZodType>(spec: ToolSpec<Schema>): Tool {
  let parameters: Record<string, unknown> | undefined;
  const tool: Tool = {
    name: spec.name,
    description: spec.description,
    effect: spec.effect,
    ...(spec.streamedArguments && { streamedArguments: spec.streamedArguments }),
    ...(spec.needs && { needs: spec.needs }),
    ...(spec.offeredFor !== undefined && { offeredFor: spec.offeredFor }),
    ...(spec.lasting && { lasting: spec.lasting }),
    ...(spec.keepsToKey && { keepsToKey: spec.keepsToKey }),
    ...(spec.endsAfterOthers && { endsAfterOthers: spec.endsAfterOthers }),
    ...(spec.recallsNotes && { recallsNotes: spec.recallsNotes }),
    ...(spec.example && { example: spec.example }),
    get parameters() {
      return (parameters ??= builtSchema(spec.name, spec.description) ?? compactSchema(spec.input));
    },
    bind(raw) {
      const accepted = withoutMeaningless(spec.accept ? spec.accept(raw) : raw, tool.parameters);
      const faults = inputFaults(tool.parameters, accepted);
      if (faults.length > 0) throw new InputProblem(tool, faults);
      const parsed = spec.input.safeParse(accepted);
      if (!parsed.success) throw new InputProblem(tool, parsed.error.issues.map(issueWords));
      const input = parsed.data;
      const startsCommand = spec.withCommand?.(input, '') !== undefined;
      return {
        summary: spec.summarize(input),
        touches: spec.touches?.(input) ?? {},
        ...(spec.findTouches && {
          findTouches: (environment: Environment, signal: AbortSignal) => spec.findTouches!(input, environment, signal),
        }),
        risk: spec.assess?.(input) ?? { level: 'low', reasons: [] },
        allowKey: spec.allowKey?.(input),
        question: spec.question?.(input),
        ...(startsCommand && { withCommand: (command: string) => spec.withCommand?.(input, command) }),
        run: (context) => spec.run(input, context),
      };
    },
  };
  return tool;
}

/**
 * Removes empty information: null for optional arguments, and arguments about the call that the tool does not declare.
 */
function withoutMeaningless(input: unknown, { properties }: Record<string, unknown>): unknown {
  if (!isRecord(input) || !isRecord(properties)) return input;
  const remaining = Object.entries(input).filter(([name, value]) => {
    const isKnown = Object.hasOwn(properties, name);
    return isKnown ? value !== null || schemaMisfit(properties[name], null) === undefined : !isIgnoredArgument(name);
  });
  return remaining.length === Object.keys(input).length ? input : Object.fromEntries(remaining);
}

/** Describes a validation rule that JSON Schema cannot express. */
function issueWords(issue: z.core.$ZodIssue): string {
  const at = issue.path.reduce<string>((before, key) => {
    if (typeof key === 'number') return `${before}[${key}]`;
    return before === '' ? String(key) : `${before}.${String(key)}`;
  }, '');
  const bound = at === '' ? undefined : brokenBound(issue);
  if (bound !== undefined) return `${at} ${bound}`;
  const words = issue.message.replace(/\.$/, '');
  return at === '' ? words : `${at}: ${words}`;
}

/** Describes a number, text or list that is too small or too large. */
function brokenBound(issue: z.core.$ZodIssue): string | undefined {
  if (issue.code === 'too_small')
    return boundWords(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum);
  if (issue.code === 'too_big')
    return boundWords(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum);
  return undefined;
}

/** Keywords that cost tokens and do not help a model. `bind` checks the bounds with the zod schema. */
const unsentKeywords = [
  'additionalProperties',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
] as const;

/** Draft-7 schema without `unsentKeywords`. */
function compactSchema(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-7',
    override: ({ jsonSchema }) => {
      for (const keyword of unsentKeywords) delete jsonSchema[keyword];
    },
  });
  return rest;
}
