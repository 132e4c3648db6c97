import type { Called } from '../../protocol/events/calls';
import type { TaskState } from '../../protocol/events/event';
import type { ModelReply } from './model';

/** A call of a tool as a reply format reads it from a reply. */
export interface ReadCall {
  /** Empty if the format has none; the agent then assigns one. */
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
  /** Arguments as written, if they differ from `JSON.stringify(input)`. */
  readonly rawInput?: string;
  /** See `ToolCall.signature`. */
  readonly signature?: string;
  /** Why the call cannot run: its arguments could not be parsed, or something earlier changed what is wanted. */
  readonly problem?: string;
  /**
   * Most likely meaning of arguments that are almost JSON. Set together with `problem`, and only safe for tools without
   * side effects.
   */
  readonly repaired?: unknown;
  /** Set if `tool` and `input` were translated from another dialect. */
  readonly called?: Called;
}

/** What a reply requests. Groups run in order, the calls of a group in parallel. */
export interface Proposal {
  /** Text for people, before the first action. */
  readonly text: string;
  readonly groups: ReadCall[][];
  /** Why no part of the reply can run, worded for the model. */
  readonly problem?: string;
  /** Whole reply, for formats that embed actions in text; see `agent_response.written`. */
  readonly written?: string;
  /** Calls that did not become actions, as the model wrote them or as far as they could be parsed. */
  readonly unreadCalls?: readonly unknown[];
  readonly taskState?: TaskState;
  /** Summary, if the reply itself says that the task is done. */
  readonly completed?: string;
  /** Message for people about how the reply was read, such as "… were not run". */
  readonly notice?: string;
}

/**
 * How actions are written in a reply. `sendsTools`: requests contain tool schemas; otherwise the prompt describes the
 * tools.
 */
export interface ReplyFormat {
  readonly name: string;
  readonly sendsTools: boolean;
  /** True if replies are meant for programs, so that their text can be shown only after parsing. */
  readonly hidesStream?: boolean;
  read(reply: ModelReply): Proposal;
}
