import * as z from 'zod';
import type { ChildReport, Details } from '../../protocol/events/details';
import type { ChildTask } from '../ports/children';
import type { Assessment, Image, ToolOrigin } from '../../protocol/events/event';
import type { History } from '../log/projection';
import { isRecord } from '../text/fields';
import type { Words } from './dialects/words';
import type { Environment } from '../ports/environment';
import { InputProblem, inputFaults } from './calls/inputFaults';
import { isMeaningless } from './calls/meaningless';
import { schemaMisfit } from './calls/schemaMisfit';

/**
 * What kind of thing a tool does: the profile decides by it what runs together. `delegates` begins a session of its own; `asks` waits
 * for a person's answer, which becomes the observation; `ends` finishes the task.
 */
export type Effect = 'reads' | 'writes' | 'executes' | 'delegates' | 'notes' | 'asks' | 'ends';

/** What a call will touch, for the analyzers and the approval card. Paths as the model wrote them. */
export interface Touches {
  readonly reads?: readonly string[];
  readonly writes?: readonly string[];
  /** Those of `writes` of which nothing is kept where a file exists already. */
  readonly replaces?: readonly string[];
  /** The text that it writes, or lines of it. */
  readonly adds?: string;
  /** The exact text a shell will run. */
  readonly command?: string;
  /** Set where `command` is typed into a program that runs already. */
  readonly types?: true;
}

export interface ToolContext {
  readonly environment: Environment;
  readonly signal: AbortSignal;
  /** Live output for people; not kept. */
  progress(text: string): void;
  /** Works on a task in a session of its own, to its end. Absent where sessions cannot be begun: in a child of a child, for one. */
  delegate?(task: ChildTask): Promise<ChildReport>;
  /** The version of a file that the model was last shown or wrote itself, read from the log; undefined when it never saw it. */
  versionSeen(path: string): string | undefined;
  /** The names by which the model knows tools and arguments, where they are not Waymark's own. */
  readonly words?: Words;
  /** The log so far, for tools whose state is a projection of it. Absent where a tool is used without a session. */
  readonly history?: History;
}

/** `content` is for the model, `details` for people. `failed` marks an answer that is bad news, not a crash. */
export interface ToolResult {
  readonly content: string;
  readonly failed?: boolean;
  readonly timedOut?: boolean;
  /** Pictures that the model is shown beside it, where it can see. */
  readonly images?: readonly Image[];
  readonly details?: Details;
  /** What a branch that went on from this result came to. */
  readonly branch?: ChildReport;
}

export interface Question {
  readonly question: string;
  readonly choices: readonly string[];
}

interface ToolSpec<Schema extends z.ZodType> {
  readonly name: string;
  readonly description: string;
  readonly input: Schema;
  /** A right input for refusals, where the least that the JSON Schema asks for is not one. */
  readonly example?: z.input<Schema> & Readonly<Record<string, unknown>>;
  /** Brings input that models like to send in another shape into the one of the schema, before it is parsed. */
  accept?(raw: unknown): unknown;
  readonly effect: Effect;
  /** Whether it reaches what outlasts the session: who may do the same kind of thing in the folder may not do this by that. */
  readonly lasting?: true;
  /** One line that tells a person what this call will do: "Edit src/add.ts". */
  summarize(input: z.output<Schema>): string;
  /** What the call touches; nothing when absent. */
  touches?(input: z.output<Schema>): Touches;
  /** The tool's own estimate; low when absent. Analyzers may raise it. */
  assess?(input: z.output<Schema>): Assessment;
  /** Identifies equal calls for "always allow"; absent or undefined: this call cannot be allowed for ever. */
  allowKey?(input: z.output<Schema>): string | undefined;
  /** For tools that run commands: the same call with a command that a person wrote. Undefined where the call starts none. */
  withCommand?(input: z.output<Schema>, command: string): z.input<Schema> | undefined;
  /** For tools that ask: what is asked. */
  question?(input: z.output<Schema>): Question;
  run(input: z.output<Schema>, context: ToolContext): Promise<ToolResult>;
}

/** A tool with its input type closed over, so a list of tools needs no generics. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly effect: Effect;
  readonly lasting?: true;
  /** Who gives it, where it is no tool of Waymark itself. */
  readonly from?: ToolOrigin;
  /** JSON Schema of the input, made on first use. */
  readonly parameters: Record<string, unknown>;
  /** A right input, where the least that `parameters` ask for is not one. */
  readonly example?: Readonly<Record<string, unknown>>;
  /** Throws an `Error` in words for the model when the input does not fit the schema. */
  bind(input: unknown): BoundTool;
}

export interface BoundTool {
  readonly summary: string;
  /** What the model said about the call beside its input, where it was asked to; `input` is then what is left. */
  readonly said?: { readonly purpose: string; readonly input: unknown };
  readonly touches: Touches;
  readonly risk: Assessment;
  readonly allowKey: string | undefined;
  readonly question: Question | undefined;
  /** Absent where no person may change what it runs; see `ToolSpec.withCommand`. */
  readonly withCommand?: ((command: string) => unknown) | undefined;
  run(context: ToolContext): Promise<ToolResult>;
}

export function defineTool<Schema extends z.ZodType>(spec: ToolSpec<Schema>): Tool {
  let parameters: Record<string, unknown> | undefined;
  const tool: Tool = {
    name: spec.name,
    description: spec.description,
    effect: spec.effect,
    ...(spec.lasting && { lasting: spec.lasting }),
    ...(spec.example && { example: spec.example }),
    get parameters() {
      return (parameters ??= compactSchema(spec.input));
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
