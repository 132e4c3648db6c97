import type { Condenser, CondenserParts } from '../ports/condenser';
import type { CondenserChoice } from '../ports/profile';
import { pendingActions } from '../log/openActions';
import type { History } from '../log/projection';
import { CondensationAttempt } from './condensationAttempt';
import {
  charactersOf,
  contextFill,
  contextWindowIn,
  learnedTokenLimit,
  statedContextWindow,
  tokensAfterRefusal,
  tokensPerCharacter,
} from './contextFill';
import type { CondensationGoal } from './range';
import { reasonsToCondense, type CondensationReason } from './reasons';
import { SummaryWriter } from './summaryWriter';

/** Share of the context window that a request may fill so that the model reads its newest step in full. */
const shareForUnread = 0.8;

/** ★ Creates the condenser for each kind of choice. Throws if the numbers of a choice are inconsistent. */
export function condenserFor(choice: CondenserChoice, parts: CondenserParts): Condenser {
  switch (choice.kind) {
    case 'none':
      return noCondenser;
    case 'summarizing':
      return summarizing(choice, parts);
    case 'pipeline':
      return pipeline(choice.of.map((each) => condenserFor(each, parts)));
  }
}

/**
 * Replaces the middle of the conversation with a summary written by a model. Too many events are a soft reason: if no
 * valid cut is worthwhile, the run continues unchanged. Too many tokens and explicit requests are hard reasons: then
 * everything except the first task and what the model has not read yet is summarized.
 */
function summarizing(
  { maxEvents, maxWindowShare, keepFirst, keepLast = 0 }: Extract<CondenserChoice, { kind: 'summarizing' }>,
  { model, contextWindow, toolCharacters = () => 0 }: CondenserParts,
): Condenser {
  const most = maxEvents / 2 - 1;
  if (maxEvents > 0 && keepFirst >= most) {
    throw new Error(
      `A condenser for at most ${maxEvents} events cannot keep the first ${keepFirst}: condensing leaves only half of the events. Keep fewer than ${most}, or allow more events.`,
    );
  }
  const share = maxWindowShare > 0 ? Math.min(1, maxWindowShare) : 1;
  const windowOf = (history: History): number => contextWindowIn(history, contextWindow) ?? Infinity;
  const maxTokensOf = (history: History): number | null => {
    const most = Math.min(Math.floor(windowOf(history) * share), learnedTokenLimit(history, toolCharacters(history)));
    return most === Infinity ? null : most;
  };

  /** Maximum number of tokens of a request with a step that the model has not read yet. */
  const roomIn = (history: History): number => {
    const tools = toolCharacters(history);
    return Math.min(
      windowOf(history) * Math.max(share, shareForUnread),
      learnedTokenLimit(history, tools),
      statedContextWindow(history) === undefined ? tokensAfterRefusal(history, tools) : Infinity,
    );
  };

  const goalOf = (history: History, reasons: readonly CondensationReason[]): CondensationGoal => {
    const tools = toolCharacters(history);
    const perCharacter = tokensPerCharacter(history, tools);
    const characters = charactersOf(history);
    return {
      reasons,
      maxEvents,
      keepFirst,
      keepLast,
      maxTokens: maxTokensOf(history),
      tokensOf: (event) => characters(event) * perCharacter,
      totalTokens: contextFill(history, tools).tokens,
      room: roomIn(history),
    };
  };

  return {
    async condense(history, signal) {
      if (pendingActions(history).length > 0) return undefined;
      const tools = toolCharacters(history);
      const reasons = reasonsToCondense(history, {
        maxEvents,
        maxTokens: maxTokensOf(history),
        toolCharacters: tools,
      });
      if (reasons.length === 0) return undefined;
      const [begun] = history;
      const task = begun?.type === 'task_started' ? (begun.prompt ?? begun.task) : '';
      const writer = new SummaryWriter(model, task, windowOf(history), tokensPerCharacter(history, tools));
      return new CondensationAttempt(history, goalOf(history, reasons), writer, signal).event();
    },
  };
}

/** Tries each in turn. The first that has something to do wins. */
function pipeline(condensers: readonly Condenser[]): Condenser {
  return {
    async condense(history, signal) {
      for (const condenser of condensers) {
        const event = await condenser.condense(history, signal);
        if (event) return event;
      }
      return undefined;
    },
  };
}

/** Never condenses, so the model sees everything until its context window is full. */
const noCondenser: Condenser = { condense: async () => undefined };
