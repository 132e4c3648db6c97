import type { ChildReport, Details } from '../../protocol/events/details';
import type { ChildTask } from './children';
import type { ActionEffect, Assessment, Image, ToolOrigin } from '../../protocol/events/event';
import type { History } from '../log/projection';
import type { Environment } from './environment';

/** Names of Waymark's tools and arguments in the model's dialect, for texts the model reads. */
export interface DialectNames {
  tool(name: string): string;
  argument(tool: string, argument: string): string;
}

/**
 * Ports for trusted folders only: what they read may steer the agent, and a requested address may leak data of the
 * folder.
 */
export const needsTrust: ReadonlySet<Need> = new Set(['web']);

/** What a call will touch, for analyzers and the approval card. Paths are as the model wrote them. */
export interface Touches {
  readonly reads?: readonly string[];
  readonly writes?: readonly string[];
  /** Files of `writes` that are replaced completely if they exist. */
  readonly replaces?: readonly string[];
  /** The text, or lines, that it writes. */
  readonly adds?: string;
  /** Address of a page that it reads. */
  readonly fetches?: string;
  /** Exact text that a shell will run. */
  readonly command?: string;
  /** Equivalent bash command in the workspace folder, by which the call is judged. It is not run. */
  readonly sameAs?: string;
  /** Set if `command` is typed into a running program. */
  readonly types?: true;
}

/** Optional port of the environment. Tools that need it are offered only if it exists. */
export type Need = 'code' | 'web';
export const allNeeds: readonly Need[] = ['code', 'web'];

/** What a running call may use. */
export interface ToolContext {
  readonly environment: Environment;
  readonly signal: AbortSignal;
  /** Reports live output for people. Not saved. */
  progress(text: string): void;
  /** Runs a task to its end in a child session. Absent if none can be started, for example in a child of a child. */
  delegate?(task: ChildTask): Promise<ChildReport>;
  /**
   * Returns the version of a file that the model was last shown or wrote itself, according to the log. Undefined if it
   * never saw the file.
   */
  versionSeen(path: string): string | undefined;
  /** Names of tools and arguments for the model, if they differ from Waymark's own. */
  readonly words?: DialectNames;
  /** The log so far, for tools with state derived from it. Absent if the tool is used without a session. */
  readonly history?: History;
}

/** `content` is for the model, `details` for people. `failed` marks an unsuccessful result, not a crash. */
export interface ToolResult {
  readonly content: string;
  readonly failed?: boolean;
  readonly timedOut?: boolean;
  /** Images for models that accept them, in addition to `content`. */
  readonly images?: readonly Image[];
  readonly details?: Details;
  /** Report of a branch that continued from this result. */
  readonly branch?: ChildReport;
}

/** A question of the model to a person. Empty `choices`: any text answers it. */
export interface Question {
  readonly question: string;
  readonly choices: readonly string[];
}

/** A tool that hides its input type, so that lists of tools need no generics. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly effect: ActionEffect;
  readonly lasting?: true;
  readonly keepsToKey?: true;
  readonly needs?: Need;
  /**
   * Extension of the files it is for. The tool is offered once the model has seen or written such a file, so that other
   * requests do not pay for it. If absent, it is always offered.
   */
  readonly offeredFor?: string;
  /** Set if sessions with this tool start with the notes of earlier sessions. */
  readonly recallsNotes?: true;
  /** Its provider, if it is not a built-in tool. */
  readonly from?: ToolOrigin;
  /**
   * Arguments shown to people while the model writes the call: the path, and texts that go into the file. They may be
   * nested.
   */
  readonly streamedArguments?: { readonly path?: string; readonly texts: readonly string[] };
  /** JSON Schema of the input, created lazily. */
  readonly parameters: Record<string, unknown>;
  /** A valid input, if the minimum that `parameters` require is not valid. */
  readonly example?: Readonly<Record<string, unknown>>;
  /** Throws an `Error` with a message for the model if the input does not match the schema. */
  bind(input: unknown): BoundTool;
}

/** A tool with the valid input of one call. */
export interface BoundTool {
  readonly summary: string;
  /** What the model stated in addition to the input, if asked to. `input` is the rest. */
  readonly said?: { readonly purpose: string; readonly input: unknown };
  readonly touches: Touches;
  /**
   * Finds what it touches if only the environment can tell. Called each time it is assessed, decided on or run. Throws
   * if `run` would change nothing. If absent, `touches` is complete.
   */
  readonly findTouches?: (environment: Environment, signal: AbortSignal) => Promise<Touches>;
  readonly risk: Assessment;
  readonly allowKey: string | undefined;
  readonly question: Question | undefined;
  /**
   * Returns the input with another command. Absent if a person may not change the command; see `ToolSpec.withCommand`.
   */
  readonly withCommand?: ((command: string) => unknown) | undefined;
  run(context: ToolContext): Promise<ToolResult>;
}
