import type { EventOf } from '../../../protocol/events/event';
import { systemPromptOf } from '../../../protocol/plain/systemPrompt';
import type { History } from '../../log/projection';
import { profiles } from '../../profiles/profiles';
import { sessionSpending } from '../../log/spending';
import type { ReadOptions, ReadTrajectory, TrajectoryFile, WrittenFormat } from '../format';
import { jsonInPieces } from '../jsonInPieces';
import { originalKey, unit, withForeignRemainder, type Unit } from '../foreignRemainder';
import { inAscii } from '../pythonJson';
import { documentIn, firstIn } from '../reading/fileValues';
import { listIn, objectIn, textIn, type JsonObject } from '../reading/json';
import { LogBuilder } from '../reading/logBuilder';
import { isTextual, turnsInPieces, type ReplyTurn, type Result, type Turn } from '../turns';
import {
  asToolCall,
  finishedEvent,
  isRead,
  reasoningFields,
  replyText,
  taskStartedIn,
  userContent,
  foreignParts,
  resultsToWrite,
} from '../exportParts';
import { exitStatusOf } from './miniExit';
import { MiniReader } from './miniReader';
import { isSweAgent } from './sweAgent';
import { verifierExtra } from './miniVerifier';
import { commandOfAction, observationExtra, wasSubmittedBy } from './miniText';
import { isRecord } from '../../text/parseJson';
import type { InPieces } from '../../text/slices';

const name = 'mini';
const version = 'mini-swe-agent-1.1';
const versionOne = 'mini-swe-agent-1';

/** True if the run works like version 1, whose trajectories end with a user message. */
const isVersionOne = (history: History): boolean => {
  const named = taskStartedIn(history)?.profile;
  return profiles.find((profile) => profile.name === named)?.miniVersion === 1;
};

/**
 * Trajectories of mini-swe-agent. Writes 1.1, or 1 for runs that work like version 1. Reads both, and bare lists of
 * messages.
 */
export const mini: WrittenFormat = {
  name,
  label: 'mini-swe-agent',
  extension: '.traj.json',
  keepsResults: true,
  reader: { recognises, read: (files, options = {}) => read(files[0], options) },
  *write(history, { session, version: waymark }) {
    const units = yield* foreignParts(history, name, (each) => unitsOf(each, waymark));
    const messages = units.filter(({ part }) => part !== 'document').map(({ value }) => value);
    const {
      info = {},
      trajectory_format = version,
      ...rest
    } = units.find(({ part }) => part === 'document')?.value ?? {};
    const document = { info, messages, trajectory_format, ...rest };
    const text = yield* jsonInPieces(document, { indent: 2, spelled: inAscii });
    return [{ path: `${session}.traj.json`, text }];
  },
};

function recognises(file: TrajectoryFile): boolean {
  const value = firstIn(file);
  if (isMini(value)) return true;
  // A bare list of messages does not identify its program, but the file name does.
  return (
    /\.traj\.json$/i.test(file.path) &&
    (Array.isArray(value) || listIn(value, 'messages') !== undefined || objectIn(value, 'info') !== undefined)
  );
}

/** True if a document states that mini-swe-agent wrote it. */
export function isMini(value: unknown): boolean {
  if (isSweAgent(value)) return false;
  const info = objectIn(value, 'info') ?? {};
  return (
    textIn(value, 'trajectory_format')?.startsWith('mini-swe-agent') === true ||
    ['model_stats', 'mini_version', 'exit_status'].some((field) => Object.hasOwn(info, field))
  );
}

function* unitsOf(history: History, waymark: string): InPieces<Unit[]> {
  const started = taskStartedIn(history);
  const end = finishedEvent(history);
  const units = [unit(0, documentOf(history, waymark), 'document')];
  const turns = yield* turnsInPieces(history);
  const last = turns.findLast((turn): turn is ReplyTurn => turn.kind === 'reply');
  for (const turn of turns) {
    yield;
    const { seq, at } = turn.event;
    if (turn.kind === 'system' && systemPromptOf(turn.event) !== '')
      units.push(unit(seq, { role: 'system', content: systemPromptOf(turn.event) }, 'system'));
    if (turn.kind === 'words' && turn.event.type === 'task_started' && turn.text !== '')
      units.push(unit(seq, { role: 'user', content: userContent(turn) }, 'task'));
    if (turn.kind === 'words' && turn.event.type !== 'task_started') units.push(unit(seq, formatMessage(turn, turns)));
    if (turn.kind === 'reply' && isRead(turn)) units.push(...ofReply(turn, turn === last ? end : undefined));
    if (turn.kind === 'end' && turn.event === end)
      units.push(
        unit(seq, isVersionOne(history) ? { role: 'user', content: end.summary, timestamp: at / 1000 } : exitOf(end)),
      );
  }
  return started ? units : [];
}

const exitOf = (end: EventOf<'finished'>): JsonObject => ({
  role: 'exit',
  content: end.summary,
  extra: {
    exit_status: exitStatusOf(end),
    submission: end.status === 'submitted' ? end.summary : '',
    timestamp: end.at / 1000,
  },
});

function documentOf(history: History, waymark: string): JsonObject {
  const started = taskStartedIn(history);
  const end = finishedEvent(history);
  const { usage, steps } = sessionSpending(history);
  const { limits = { steps: 0, cost: 0, seconds: 0 } } = started ?? {};
  return {
    info: {
      model_stats: { instance_cost: usage.cost ?? 0, api_calls: steps },
      config: {
        agent: {
          system_template: started ? systemPromptOf(started) : '',
          instance_template: started?.prompt ?? started?.task ?? '',
          step_limit: limits.steps,
          cost_limit: limits.cost,
          wall_time_limit_seconds: limits.seconds,
          ...(started?.mode && { mode: started.mode === 'auto' ? 'yolo' : started.mode }),
        },
        agent_type: `waymark.${started?.profile ?? 'waymark'}`,
        model: { model_name: started?.model.name ?? '' },
        model_type: 'waymark.model',
        environment: { cwd: started?.cwd ?? '' },
        environment_type: 'waymark.environment',
      },
      mini_version: `waymark ${waymark}`,
      ...(end && { exit_status: exitStatusOf(end), submission: end.status === 'submitted' ? end.summary : '' }),
      ...resultsToWrite(history),
    },
    trajectory_format: isVersionOne(history) ? versionOne : version,
  };
}

/** What mini-swe-agent calls a cause of feedback. */
const interruptTypes: Readonly<Partial<Record<EventOf<'feedback'>['cause'], string>>> = {
  interruption: 'UserInterruption',
  format_error: 'FormatError',
};

/** Formats the messages between steps. An unusable reply is stored with the message that answers it. */
function formatMessage(words: Extract<Turn, { kind: 'words' }>, turns: readonly Turn[]): JsonObject {
  const { event } = words;
  const extra: JsonObject = { timestamp: event.at / 1000 };
  if (event.type === 'feedback') {
    extra['interrupt_type'] = interruptTypes[event.cause] ?? event.cause;
    const reply = turns.find((turn): turn is ReplyTurn => turn.kind === 'reply' && turn.hiddenBy === event);
    if (reply)
      Object.assign(extra, {
        response: responseOf(reply),
        ...(reply.event.usage.cost !== null && { cost: reply.event.usage.cost }),
      });
  }
  return { role: 'user', content: userContent(words), extra };
}

function ofReply(turn: ReplyTurn, end: EventOf<'finished'> | undefined): Unit[] {
  const { event, results, answers } = turn;
  const textual = isTextual(turn);
  const text = replyText(turn);
  const actions = results.map(({ action }) => ({ command: commandOfAction(action), tool_call_id: action.id }));
  const extra: JsonObject = { actions, timestamp: event.at / 1000 };
  if (event.by === 'person')
    return [
      unit(event.seq, { role: 'user', content: text, extra }),
      ...results.map((result, index) => ofResult(turn, result, index)),
    ];
  Object.assign(extra, {
    response: responseOf(turn),
    ...(event.usage.cost !== null && { cost: event.usage.cost }),
    ...(event.sampling && { verifier: verifierExtra(event.sampling) }),
  });
  const calls = textual ? [] : results.map(asToolCall);
  const assistantMessage = {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    ...reasoningFields(event.reasoning),
    ...(calls.length > 0 && { tool_calls: calls }),
    extra,
  };
  // The command that submits the work has no result of its own: its output is the submission.
  const kept =
    end?.status === 'submitted' && results.length > 0 && wasSubmittedBy(results.at(-1)!, end.summary)
      ? answers.filter((answer) => answer !== results.at(-1))
      : answers;
  return [unit(event.seq, assistantMessage), ...kept.map((result, index) => ofResult(turn, result, index))];
}

function ofResult(turn: ReplyTurn, { action, observation, text }: Result, index: number): Unit {
  const extra = { ...observationExtra(observation), timestamp: (observation ?? turn.event).at / 1000 };
  const value = isTextual(turn)
    ? { role: 'user', content: text, extra }
    : { role: 'tool', tool_call_id: action.id, content: text, extra };
  return unit(observation?.seq ?? turn.event.seq, value, observation ? '' : `result-${index}`);
}

/** Returns as much of the provider's response as the log contains. */
function responseOf({ event }: ReplyTurn): JsonObject {
  const { inputTokens, outputTokens, cachedTokens } = event.usage;
  return {
    model: event.model,
    choices: [
      {
        finish_reason: event.finishReason || null,
        message: {
          role: 'assistant',
          content: event.written ?? event.text,
          ...(event.unreadCalls && { tool_calls: event.unreadCalls }),
        },
      },
    ],
    ...((inputTokens !== null || outputTokens !== null) && {
      usage: {
        prompt_tokens: inputTokens,
        completion_tokens: outputTokens,
        ...(cachedTokens !== null && { prompt_tokens_details: { cached_tokens: cachedTokens } }),
      },
    }),
  };
}

function read(file: TrajectoryFile | undefined, options: ReadOptions): ReadTrajectory {
  const builder = new LogBuilder(options);
  const { value, problems } = documentIn(file);
  builder.problems.push(...problems);
  const messages = Array.isArray(value) ? (value as unknown[]) : listIn(value, 'messages');
  if (!messages) {
    builder.problem('messages', 'It contains no list of messages, so there is nothing to show.');
    return { events: [], problems: builder.problems };
  }
  const top = isRecord(value) ? value : {};
  new MiniReader(builder, top).read(messages);
  const { messages: _, ...rest } = top;
  if (isRecord(value)) builder.originals.set(originalKey(0, 'document'), rest);
  return { events: withForeignRemainder(builder, (history) => unitsOf(history, '')), problems: builder.problems };
}
