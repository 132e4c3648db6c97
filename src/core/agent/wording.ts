import type { Action } from '../../protocol/event';
import type { ToolResult } from '../tools/tool';
import type { History } from './history';

/** How what happens is told to the model. */
export interface Wording {
  /** What it reads of an action's result. */
  observation(action: Action, result: ToolResult, history: History): Promise<string>;
  /** What it reads of a reply that cannot be used. `error` is the plain reason. */
  formatError(error: string, reply: { readonly calls: readonly unknown[]; readonly finishReason: string }, history: History): Promise<string>;
}

/** As the tools say it. */
export const plainWording: Wording = {
  observation: async (_action, { content }) => content,
  formatError: async error => error,
};
