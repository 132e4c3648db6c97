import type { Environment } from '../ports/environment';
import type { Effect, Need, Touches, ToolContext, ToolResult, Question, Tool } from '../ports/tool';
import * as z from 'zod';
import type { Assessment } from '../../protocol/events/event';
import { isRecord } from '../text/fields';
import { builtSchema } from './calls/builtSchemas';
import { InputProblem, inputFaults } from './calls/inputFaults';
import { isMeaningless } from './calls/meaningless';
import { schemaMisfit } from './calls/schemaMisfit';

interface ToolSpec<Schema extends z.ZodType> {
  readonly name: string;
  readonly description: string;
  readonly input: Schema;
  /** A valid example for error messages, if the minimal input that the JSON Schema allows is not valid. */
  readonly example?: z.input<Schema> & Readonly<Record<string, unknown>>;
  /** Converts input that models often send in another shape to the shape of the schema, before it is parsed. */
  accept?(raw: unknown): unknown;
  readonly effect: Effect;
  /** What people see of a call while the model writes it; see `Tool`. */
  readonly shownInWriting?: Tool['shownInWriting'];
  /** The port that it needs; without it the tool is not offered. */
  readonly needs?: Need;
  /** The extension of the files that it works on; see `Tool`. */
  readonly offeredFor?: string;
  /**
   * Whether it reaches another machine, or something that outlives the session. A permission for the same kind of
   * action in the folder does not cover it.
   */
  readonly lasting?: true;
  /**
   * Set if `allowKey` names the only place that a call can reach: a standing permission then allows nothing else, so it
   * may be granted although the call itself cannot be judged.
   */
  readonly keepsToKey?: true;
  /** Set if a session with this tool gets the notes of earlier sessions. */
  readonly recallsNotes?: true;
  /** What this call will do, in one line for a person: "Edit src/add.ts". */
  summarize(input: z.output<Schema>): string;
  /** What the call touches; nothing when absent. */
  touches?(input: z.output<Schema>): Touches;
  /** What it touches where only the environment can tell; see `BoundTool`. */
  findTouches?(input: z.output<Schema>, environment: Environment, signal: AbortSignal): Promise<Touches>;
  /** The tool's own estimate; low when absent. Analyzers may raise it. */
  assess?(input: z.output<Schema>): Assessment;
  /** Identifies equal calls for "always allow"; absent or undefined: this call cannot be allowed for ever. */
  allowKey?(input: z.output<Schema>): string | undefined;
  /**
   * For tools that run commands: the same call with a command that a person wrote. Undefined where the call starts
   * none.
   */
  withCommand?(input: z.output<Schema>, command: string): z.input<Schema> | undefined;
  /** For tools that ask: what is asked. */
  question?(input: z.output<Schema>): Question;
  run(input: z.output<Schema>, context: ToolContext): Promise<ToolResult>;
}

export function defineTool<Schema extends z.ZodType>(spec: ToolSpec<Schema>): Tool {
  let parameters: Record<string, unknown> | undefined;
  const tool: Tool = {
    name: spec.name,
    description: spec.description,
    effect: spec.effect,
    ...(spec.shownInWriting && { shownInWriting: spec.shownInWriting }),
    ...(spec.needs && { needs: spec.needs }),
    ...(spec.offeredFor !== undefined && { offeredFor: spec.offeredFor }),
    ...(spec.lasting && { lasting: spec.lasting }),
    ...(spec.keepsToKey && { keepsToKey: spec.keepsToKey }),
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

/** Without what says nothing: null for what may be left out, and words about the call that no tool asks for. */
function withoutMeaningless(input: unknown, { properties }: Record<string, unknown>): unknown {
  if (!isRecord(input) || !isRecord(properties)) return input;
  const said = Object.entries(input).filter(([name, value]) => {
    const isKnown = Object.hasOwn(properties, name);
    return isKnown ? value !== null || schemaMisfit(properties[name], null) === undefined : !isMeaningless(name);
  });
  return said.length === Object.keys(input).length ? input : Object.fromEntries(said);
}

/** What a rule says that no JSON Schema can tell. */
function issueWords({ path, message }: z.core.$ZodIssue): string {
  const words = message.replace(/\.$/, '');
  return path.length === 0 ? words : `${path.join('.')}: ${words}`;
}

/** draft-7 without the words that cost tokens and tell a model nothing. */
function compactSchema(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-7',
    override: ({ jsonSchema }) => {
      delete jsonSchema.additionalProperties;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return rest;
}
