import type { ChildReport, Details } from '../../protocol/events/details';
import type { ChildTask } from './children';
import type { Assessment, Image, ToolOrigin } from '../../protocol/events/event';
import type { History } from '../log/projection';
import type { Environment } from './environment';

/** The names by which a model knows the tools of Waymark and their arguments, for texts that it reads. */
export interface Words {
  tool(name: string): string;
  argument(tool: string, argument: string): string;
}

/**
 * What kind of thing a tool does: the profile decides by it what runs together. `delegates` begins a session of its
 * own; `asks` waits for a person's answer, which becomes the observation; `ends` finishes the task.
 */
export type Effect = 'reads' | 'writes' | 'executes' | 'delegates' | 'notes' | 'asks' | 'ends';

/** Ports that are for trusted folders alone: what such a port reads may steer the agent, and an address may tell of the folder. */
export const needsTrust: ReadonlySet<Need> = new Set(['web']);

/** What a call will touch, for the analyzers and the approval card. Paths as the model wrote them. */
export interface Touches {
  readonly reads?: readonly string[];
  readonly writes?: readonly string[];
  /** The files of `writes` that are replaced completely if they exist. */
  readonly replaces?: readonly string[];
  /** The text that it writes, or lines of it. */
  readonly adds?: string;
  /** The address of a page that it reads. */
  readonly fetches?: string;
  /** The exact text a shell will run. */
  readonly command?: string;
  /** A command for bash in the workspace folder that does the same, and by which the call is judged; it is not run. */
  readonly sameAs?: string;
  /** Set where `command` is typed into a program that runs already. */
  readonly types?: true;
}

/** A port that not every environment has, and without which a tool is not offered. */
export type Need = 'code' | 'web';
export const everyNeed: readonly Need[] = ['code', 'web'];

export interface ToolContext {
  readonly environment: Environment;
  readonly signal: AbortSignal;
  /** Live output for people; not kept. */
  progress(text: string): void;
  /**
   * Works on a task in a session of its own, to its end. Absent where sessions cannot be begun: in a child of a child,
   * for one.
   */
  delegate?(task: ChildTask): Promise<ChildReport>;
  /**
   * The version of a file that the model was last shown or wrote itself, read from the log; undefined when it never saw
   * it.
   */
  versionSeen(path: string): string | undefined;
  /** The names by which the model knows tools and arguments, if they differ from Waymark's own. */
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
  /** The result of a branch that continued from this result. */
  readonly branch?: ChildReport;
}

export interface Question {
  readonly question: string;
  readonly choices: readonly string[];
}

/** A tool with its input type closed over, so a list of tools needs no generics. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly effect: Effect;
  readonly lasting?: true;
  readonly keepsToKey?: true;
  readonly needs?: Need;
  /**
   * The ending of the files that it is for: it is offered from then on that the model saw or wrote one of them, so that
   * nobody else pays for it. Absent: it is offered from the beginning.
   */
  readonly offeredFor?: string;
  /** Set where a session that has it is told the notes of earlier sessions. */
  readonly recallsNotes?: true;
  /** Who gives it, where it is no tool of Waymark itself. */
  readonly from?: ToolOrigin;
  /**
   * Arguments that people see while a model writes the call: the file, and texts that go into it. They may be nested.
   */
  readonly shownInWriting?: { readonly path?: string; readonly texts: readonly string[] };
  /** JSON Schema of the input, made on first use. */
  readonly parameters: Record<string, unknown>;
  /** A right input, where the least that `parameters` ask for is not one. */
  readonly example?: Readonly<Record<string, unknown>>;
  /** Throws an `Error` in words for the model when the input does not fit the schema. */
  bind(input: unknown): BoundTool;
}

export interface BoundTool {
  readonly summary: string;
  /** What the model said about the call in addition to its input, if it was asked to; `input` is then the rest. */
  readonly said?: { readonly purpose: string; readonly input: unknown };
  readonly touches: Touches;
  /**
   * What it touches where only the environment can tell; asked each time it is judged, decided on or run. It throws
   * where `run` would change nothing. Absent: `touches` says it all.
   */
  readonly findTouches?: (environment: Environment, signal: AbortSignal) => Promise<Touches>;
  readonly risk: Assessment;
  readonly allowKey: string | undefined;
  readonly question: Question | undefined;
  /** Absent where no person may change what it runs; see `ToolSpec.withCommand`. */
  readonly withCommand?: ((command: string) => unknown) | undefined;
  run(context: ToolContext): Promise<ToolResult>;
}
