import type { Called } from '../../protocol/events/calls';
import type { TaskState } from '../../protocol/events/event';
import type { ModelReply } from './model';

export interface Call {
  /** Empty where the format has none: the agent gives it one. */
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
  /** The arguments as written, where they are not what `JSON.stringify(input)` gives. */
  readonly rawInput?: string;
  /** See `ToolCall.signature`. */
  readonly signature?: string;
  /** Why the call cannot be run: its arguments could not be read, or something before it changed what is wanted. */
  readonly problem?: string;
  /**
   * What arguments that are almost JSON most likely mean, beside `problem`. Good
   * enough only for tools without side effects.
   */
  readonly repaired?: unknown;
  /** Set where `tool` and `input` were read out of another dialect. */
  readonly called?: Called;
}

/** What a reply asks for. Groups run in order, the calls of a group together. */
export interface Proposal {
  /** For people, before the first action. */
  readonly text: string;
  readonly groups: Call[][];
  /** Why nothing of the reply can be run, in words for the model. */
  readonly problem?: string;
  /** The whole reply, for formats that find actions inside the text; see `agent_response.written`. */
  readonly written?: string;
  /** Calls that became no actions: as the model wrote them, or as far as they could be read. */
  readonly unreadCalls?: readonly unknown[];
  readonly taskState?: TaskState;
  /** Set where the reply itself says that the task is done: the summary. */
  readonly completed?: string;
  /** What a person should know about how the reply was read: "… were not run". */
  readonly notice?: string;
}

/**
 * How actions are written into a reply. `sendsTools`: whether the request carries tool
 * schemas; otherwise the prompt describes them.
 */
export interface ReplyFormat {
  readonly name: string;
  readonly sendsTools: boolean;
  /** Set where a reply is made for programs: its words are for people only after they were read out of it. */
  readonly hidesStream?: boolean;
  read(reply: ModelReply): Proposal;
}
