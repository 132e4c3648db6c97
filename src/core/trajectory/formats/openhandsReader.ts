import type { EndCause, EventOf, Image, Usage } from '../../../protocol/events/event';
import { resultsIn } from '../exportParts';
import { originalKey } from '../foreignRemainder';
import { firstEvent, pictureAt } from '../reading/chat';
import { contentText } from '../reading/contentParts';
import { listIn, numberIn, objectIn, textIn, type JsonObject } from '../reading/json';
import type { LogBuilder } from '../reading/logBuilder';
import { parseTime } from '../times';
import { isRecord } from '../../text/parseJson';
import type { InPieces } from '../../text/slices';
import { unknownUsage } from '../../log/spending';

/** An event of the conversation and its location: its file, or its line in a file. */
export interface PlacedEvent {
  readonly place: string;
  readonly value: JsonObject;
}

/** Why a run ended, by the code of a `ConversationErrorEvent`. */
const causes: ReadonlyMap<string, EndCause> = new Map([
  ['MaxIterationsReached', 'steps'],
  ['MaxBudgetReached', 'cost'],
  ['LLMContextWindowExceedError', 'context_overflow'],
  ['LLMError', 'model'],
]);

/** Reads the events of an OpenHands conversation into a log. */
export class OpenHandsReader {
  /** Log events by the id of the OpenHands event that they were created from. */
  readonly #seqs = new Map<string, number>();
  readonly #usages: ReadonlyMap<string, Usage>;
  readonly #model: string;

  constructor(
    private readonly builder: LogBuilder,
    private readonly state: JsonObject | undefined,
  ) {
    this.#model = textIn(objectIn(objectIn(state, 'agent'), 'llm'), 'model') ?? '';
    this.#usages = usagesIn(state);
  }

  *read(events: readonly PlacedEvent[]): InPieces<void> {
    const { builder } = this;
    const kindOf = (placed: PlacedEvent | undefined): string | undefined => textIn(placed?.value, 'kind');
    const system = events.find((event) => kindOf(event) === 'SystemPromptEvent');
    const opening = events.find((event) => kindOf(event) === 'MessageEvent' || kindOf(event) === 'ActionEvent');
    const task =
      opening && kindOf(opening) === 'MessageEvent' && textIn(opening.value, 'source') === 'user' ? opening : undefined;
    this.#begin(system?.value, task?.value, events[0]!.value);
    for (let index = 0; index < events.length; index++) {
      const event = events[index]!;
      if (event === system || event === task) continue;
      const batch = kindOf(event) === 'ActionEvent' ? this.#batch(events, index) : [event];
      const seq = batch.length > 1 || kindOf(event) === 'ActionEvent' ? this.#reply(batch) : this.#event(event);
      for (const [more, { value }] of batch.entries()) {
        if (seq === undefined) builder.others.set(index + more, value);
        else {
          builder.originals.set(originalKey(seq, kindOf(event) === 'ActionEvent' ? `action-${more}` : ''), value);
          this.#seqs.set(textIn(value, 'id') ?? '', seq);
        }
      }
      index += batch.length - 1;
      yield;
    }
    this.#ending();
  }

  #begin(system: JsonObject | undefined, task: JsonObject | undefined, first: JsonObject): void {
    const { builder, state } = this;
    const tools = (listIn(objectIn(state, 'agent'), 'tools') ?? []).flatMap((tool) => textIn(tool, 'name') ?? []);
    builder.append(
      firstEvent({
        origin: 'openhands',
        systemPrompt: textIn(objectIn(system, 'system_prompt'), 'text') ?? textIn(system, 'system_prompt'),
        task: contentText(objectIn(task, 'llm_message')?.['content']),
        images: imagesOf(objectIn(task, 'llm_message')?.['content']),
        model: this.#model,
        tools,
        cwd: textIn(objectIn(state, 'workspace'), 'working_dir'),
        limits: { steps: numberIn(state, 'max_iterations') ?? 0, cost: 0, seconds: 0 },
      }),
      parseTime(textIn(first, 'timestamp')) ?? 0,
    );
    for (const [event, part] of [
      [system, 'system'],
      [task, 'task'],
    ] as const) {
      if (!event) continue;
      builder.originals.set(originalKey(0, part), event);
      this.#seqs.set(textIn(event, 'id') ?? '', 0);
    }
  }

  /** Returns the calls of one model reply, each of which is a separate event. */
  #batch(events: readonly PlacedEvent[], from: number): PlacedEvent[] {
    const responded = textIn(events[from]!.value, 'llm_response_id');
    let end = from + 1;
    while (
      responded !== undefined &&
      textIn(events[end]?.value, 'kind') === 'ActionEvent' &&
      textIn(events[end]?.value, 'llm_response_id') === responded
    )
      end++;
    return events.slice(from, end);
  }

  #reply(batch: readonly PlacedEvent[]): number {
    const [first] = batch;
    const { value } = first!;
    const calls = batch.map(({ value: action }) => {
      const call = objectIn(action, 'tool_call');
      const { kind: _, ...told } = objectIn(action, 'action') ?? {};
      return {
        id: textIn(action, 'tool_call_id') ?? textIn(call, 'id'),
        tool: textIn(action, 'tool_name') ?? textIn(call, 'name') ?? '',
        arguments: textIn(call, 'arguments') ?? told,
        summary: textIn(action, 'summary'),
        risk: riskOf(action),
      };
    });
    return this.builder.reply(
      {
        text: contentText(value['thought']) ?? '',
        calls,
        ...this.#replyFacts(value, value),
        ...(textIn(value, 'source') === 'user' && { by: 'person' }),
      },
      parseTime(textIn(value, 'timestamp')),
    );
  }

  #replyFacts(
    event: JsonObject,
    thinking: JsonObject | undefined,
  ): { usage: Usage; model: string; reasoning?: EventOf<'agent_response'>['reasoning'] } {
    const text = textIn(thinking, 'reasoning_content') ?? '';
    const blocks = listIn(thinking, 'thinking_blocks') ?? [];
    const reasoning =
      text !== '' || blocks.length > 0
        ? {
            text:
              text ||
              blocks
                .map((block) => textIn(block, 'thinking') ?? '')
                .filter(Boolean)
                .join('\n'),
            ...(text !== '' && { field: 'reasoning_content' as const }),
            ...(blocks.length > 0 && { details: blocks, detailsField: 'thinking_blocks' as const }),
          }
        : undefined;
    return {
      usage: this.#usages.get(textIn(event, 'llm_response_id') ?? '') ?? unknownUsage,
      model: this.#model,
      ...(reasoning && { reasoning }),
    };
  }

  /** Returns the number of the log event that represents it, or undefined if there is none. */
  #event({ place, value }: PlacedEvent): number | undefined {
    const at = parseTime(textIn(value, 'timestamp'));
    switch (textIn(value, 'kind')) {
      case 'MessageEvent':
        return this.#message(value, at);
      case 'ObservationEvent':
      case 'UserRejectObservation':
      case 'AgentErrorEvent': {
        const seq = this.builder.observe(textIn(value, 'tool_call_id'), readObservation(value), at);
        if (seq === undefined)
          this.builder.problem(place, 'It is the result of a call that does not exist, so it is skipped.');
        return seq;
      }
      case 'Condensation':
        return this.#condensation(value, at);
      case 'ConversationErrorEvent':
        return this.#conversationError(value, at);
      default:
        this.#skip(place, value);
        return undefined;
    }
  }

  #message(value: JsonObject, at: number | undefined): number {
    const message = objectIn(value, 'llm_message');
    const parts = [contentText(message?.['content']), contentText(value['extended_content'])];
    const text = parts.filter(Boolean).join('\n\n');
    if (textIn(message, 'role') === 'assistant')
      return this.builder.reply({ text, ...this.#replyFacts(value, message) }, at);
    const images = imagesOf(message?.['content']);
    return this.builder.append({ type: 'user_message', text, ...(images.length > 0 && { images }) }, at);
  }

  #condensation(value: JsonObject, at: number | undefined): number {
    const ids = (listIn(value, 'forgotten_event_ids') ?? []).filter((id) => typeof id === 'string');
    const forgotten = new Set(ids.flatMap((id) => this.#seqs.get(id) ?? []));
    return this.builder.append(
      {
        type: 'condensation',
        forgotten: [...forgotten].filter((seq) => seq > 0),
        summary: textIn(value, 'summary') ?? '',
      },
      at,
    );
  }

  #conversationError(value: JsonObject, at: number | undefined): number {
    const code = textIn(value, 'code') ?? '';
    const cause = causes.get(code);
    const isLimit = cause === 'steps' || cause === 'cost';
    return this.builder.append(
      {
        type: 'finished',
        status: isLimit ? 'limit_exceeded' : 'failed',
        summary: textIn(value, 'detail') ?? code,
        ...(cause && { cause }),
        ...this.#results(),
      },
      at,
    );
  }

  /** Says why an event is skipped, unless its kind adds nothing. */
  #skip(place: string, value: JsonObject): void {
    const kind = textIn(value, 'kind');
    const isOfEarlierVersion = textIn(value, 'action') ?? textIn(value, 'observation');
    if (kind !== undefined && ignoredKinds.has(kind)) return;
    if (kind !== undefined) this.builder.problem(place, `The event kind ${kind} is unknown, so the event is skipped.`);
    else if (isOfEarlierVersion)
      this.builder.problem(
        place,
        'It is an event of an earlier OpenHands, before its software-agent-sdk, so it is skipped.',
      );
    else this.builder.problem(place, 'It does not say what kind of event it is, so it is skipped.');
  }

  #ending(): void {
    const { builder } = this;
    if (builder.events.at(-1)?.type === 'finished') return;
    const status = textIn(this.state, 'execution_status');
    const last = builder.events.findLast((event) => event.type === 'agent_response');
    const finish = last?.actions.find(({ tool }) => tool === 'finish');
    const report =
      finish && builder.events.find((event) => event.type === 'observation' && event.actionId === finish.id);
    if (
      finish &&
      report?.type === 'observation' &&
      (status === 'finished' || status === undefined) &&
      builder.events.at(-1)?.type === 'observation'
    ) {
      builder.append({
        type: 'finished',
        status: 'submitted',
        summary: textIn(finish.input, 'message') ?? report.content,
        ...this.#results(),
      });
    } else if (status === 'error' || status === 'stuck') {
      builder.append({
        type: 'finished',
        status: 'failed',
        summary: status === 'stuck' ? 'The run was stuck in a loop.' : 'The run failed.',
        ...(status === 'stuck' && { cause: 'going_in_circles' }),
        ...this.#results(),
      });
    } else if (status === 'finished' && this.#results().results !== undefined) {
      // A run of Waymark whose last reply ended the work without calling a tool for it.
      builder.append({ type: 'finished', status: 'submitted', summary: last?.text ?? '', ...this.#results() });
    }
  }

  /** Returns the results for people, if Waymark wrote the conversation. */
  #results(): ReturnType<typeof resultsIn> {
    return resultsIn(objectIn(this.state, 'agent_state'));
  }
}

const readKinds: ReadonlySet<string> = new Set([
  'MessageEvent',
  'ActionEvent',
  'ObservationEvent',
  'UserRejectObservation',
  'AgentErrorEvent',
  'Condensation',
  'ConversationErrorEvent',
]);

/** True if a value is an event of the SDK, judged by its kind. */
export function isEvent(value: unknown): boolean {
  const kind = textIn(value, 'kind');
  return kind !== undefined && (readKinds.has(kind) || ignoredKinds.has(kind));
}

/** Kinds of events that add nothing to the others. */
const ignoredKinds: ReadonlySet<string> = new Set([
  'SystemPromptEvent',
  'SystemPromptUpdateEvent',
  'CondensationRequest',
  'CondensationSummaryEvent',
  'ConversationStateUpdateEvent',
  'PauseEvent',
  'InterruptEvent',
  'HookExecutionEvent',
  'TokenEvent',
  'LLMCompletionLogEvent',
  'StreamingDeltaEvent',
  'ACPToolCallEvent',
  'ResumeTranscriptEvent',
]);

function riskOf(action: JsonObject): EventOf<'agent_response'>['actions'][number]['risk'] | undefined {
  const level = textIn(action, 'security_risk')?.toLowerCase();
  return level === 'low' || level === 'medium' || level === 'high' ? { level, reasons: [] } : undefined;
}

function imagesOf(content: unknown): Image[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((part) => listIn(part, 'image_urls') ?? []).flatMap(pictureAt);
}

function readObservation(value: JsonObject): Omit<EventOf<'observation'>, 'seq' | 'at' | 'type' | 'actionId'> {
  if (textIn(value, 'kind') === 'UserRejectObservation')
    return { outcome: 'rejected', content: textIn(value, 'rejection_reason') ?? '' };
  if (textIn(value, 'kind') === 'AgentErrorEvent') return { outcome: 'error', content: textIn(value, 'error') ?? '' };
  const observation = objectIn(value, 'observation');
  const content = [
    contentText(observation?.['content'] ?? observation?.['output']) ?? '',
    contentText(value['extended_content']) ?? '',
  ]
    .filter(Boolean)
    .join('\n\n');
  const timeout = observation?.['timeout'] === true;
  const exitCode = numberIn(observation, 'exit_code');
  const outcomeInTime = observation?.['is_error'] === true ? 'error' : 'ok';
  const outcome = timeout ? 'timeout' : outcomeInTime;
  if (textIn(observation, 'kind') !== 'TerminalObservation' || exitCode === undefined) return { outcome, content };
  return {
    outcome,
    content,
    details: {
      kind: 'command',
      end: timeout ? 'timed_out' : 'exited',
      exitCode: timeout ? null : exitCode,
      durationMs: 0,
      cwd: textIn(objectIn(observation, 'metadata'), 'working_dir') ?? '',
      tty: false,
      outputBytes: content.length,
    },
  };
}

/** Returns the token usage of each model reply, by its id. */
function usagesIn(state: JsonObject | undefined): Map<string, Usage> {
  const usages = new Map<string, Usage>();
  for (const metrics of Object.values(objectIn(objectIn(state, 'stats'), 'usage_to_metrics') ?? {})) {
    const tokens = listIn(metrics, 'token_usages') ?? [];
    const costs = listIn(metrics, 'costs') ?? [];
    for (const [index, usage] of tokens.entries()) {
      const id = textIn(usage, 'response_id');
      if (!isRecord(usage) || !id) continue;
      usages.set(id, {
        inputTokens: numberIn(usage, 'prompt_tokens') ?? null,
        outputTokens: numberIn(usage, 'completion_tokens') ?? null,
        cachedTokens: numberIn(usage, 'cache_read_tokens') ?? null,
        cost: costs.length === tokens.length ? (numberIn(costs[index], 'cost') ?? null) : null,
      });
    }
  }
  return usages;
}
