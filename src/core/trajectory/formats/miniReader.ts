import { FeedbackCause, type EventOf, type Usage } from '../../../protocol/events/event';
import { resultsIn } from '../exportParts';
import { originalKey } from '../foreignRemainder';
import { firstEvent, callsIn, imagesIn, reasoningIn } from '../reading/chat';
import { contentText } from '../reading/contentParts';
import { listIn, numberIn, objectIn, textIn, type JsonObject } from '../reading/json';
import type { LogBuilder } from '../reading/logBuilder';
import { responseOutput } from '../reading/responseItems';
import { endFor } from './miniExit';
import { commandIn, markers, readObservation } from './miniText';
import { samplingIn } from './miniVerifier';
import { isRecord } from '../../text/parseJson';

/** Reads the messages of a mini-swe-agent trajectory into a log. */
export class MiniReader {
  readonly #info: JsonObject;
  readonly #model: string;
  /** Tools that were called. A file does not list the available ones. */
  #tools: string[] = [];
  /** True if results are user messages, because the calls are part of the text. */
  #textual = false;

  constructor(
    private readonly builder: LogBuilder,
    private readonly top: JsonObject,
  ) {
    this.#info = objectIn(top, 'info') ?? {};
    this.#model = textIn(objectIn(objectIn(this.#info, 'config'), 'model'), 'model_name') ?? '';
  }

  read(messages: readonly unknown[]): void {
    const [first, second] = messages;
    const system = textIn(first, 'role') === 'system' ? (first as JsonObject) : undefined;
    const task = system ? second : first;
    const begun = textIn(task, 'role') === 'user' ? (task as JsonObject) : undefined;
    const { builder } = this;
    this.#tools = [
      ...new Set(
        messages
          .flatMap((message) => [
            ...(listIn(message, 'tool_calls') ?? []).map((call) => textIn(objectIn(call, 'function'), 'name')),
            ...functionCallsIn(message).map(({ tool }) => tool),
          ])
          .filter((name) => name !== undefined),
      ),
    ];
    builder.append(
      this.#beginning(contentText(system?.['content']), begun?.['content']),
      secondsIn(messages.find((message) => timeIn(message) !== undefined)) ?? 0,
    );
    if (system) builder.originals.set(originalKey(0, 'system'), system);
    if (begun) builder.originals.set(originalKey(0, 'task'), begun);
    for (let index = (system ? 1 : 0) + (begun ? 1 : 0); index < messages.length; index++) {
      const seq = this.#message(messages[index], `messages[${index}]`);
      if (seq === undefined) builder.others.set(index, messages[index]);
      else builder.originals.set(originalKey(seq), messages[index]);
    }
    this.#ending();
  }

  #beginning(systemPrompt: string | undefined, task: unknown): ReturnType<typeof firstEvent> {
    const config = objectIn(this.#info, 'config');
    const agent = objectIn(config, 'agent');
    return firstEvent({
      origin: 'mini',
      systemPrompt,
      task: contentText(task),
      images: imagesIn(task),
      model: this.#model,
      tools: this.#tools,
      cwd: textIn(objectIn(config, 'environment'), 'cwd'),
      title: textIn(this.top, 'instance_id'),
      limits: {
        steps: numberIn(agent, 'step_limit') ?? 0,
        cost: numberIn(agent, 'cost_limit') ?? 0,
        seconds: numberIn(agent, 'wall_time_limit_seconds') ?? 0,
      },
    });
  }

  /** Reads one message. Returns the event that represents it. */
  #message(message: unknown, where: string): number | undefined {
    const { builder } = this;
    if (!isRecord(message)) return void builder.problem(where, 'It is not a message, so it is skipped.');
    const at = secondsIn(message);
    const items = message['output'] ?? message['type'];
    const isCallOutput = items === 'function_call_output';
    const unnamedRole = Array.isArray(items) ? 'assistant' : undefined;
    const role = textIn(message, 'role') ?? (isCallOutput ? 'tool' : unnamedRole);
    const text = contentText(message['content'] ?? (isCallOutput ? message['output'] : undefined));
    if (text === undefined)
      builder.problem(where, 'Its content is neither text nor a list of parts, so it is shown as empty.');
    // Replies of the Responses API are a list of items; only some contain text.
    const content = text || (Array.isArray(message['output']) ? responseOutput(message['output']).text : '');
    switch (role) {
      case 'assistant':
        return this.#reply(message, content, where, at);
      case 'tool':
        return this.#result(message, {
          id: textIn(message, 'tool_call_id') ?? textIn(message, 'call_id'),
          content,
          where,
          at,
        });
      case 'user':
        return this.#userMessage(message, content, where, at);
      case 'system':
        return builder.append({ type: 'user_message', text: content }, at);
      case 'exit':
        return this.#finish(
          textIn(message['extra'], 'exit_status') ?? textIn(this.#info, 'exit_status') ?? '',
          textIn(message['extra'], 'submission') || content,
          at,
        );
      default:
        return void builder.problem(
          where,
          `Its role ${JSON.stringify(message['role'] ?? null)} is unknown, so it is skipped.`,
        );
    }
  }

  #reply(message: JsonObject, content: string, where: string, at: number | undefined): number {
    const { builder } = this;
    const calls = [...callsIn(message, where, builder), ...functionCallsIn(message)];
    const textual = calls.length === 0 ? commandIn(content) : undefined;
    const extra = objectIn(message, 'extra');
    const recordedActions = listIn(extra, 'actions');
    const commands = textual?.groups.flat() ?? [];
    this.#textual = calls.length === 0;
    const reasoning = reasoningIn(message);
    const costs = this.#costs(extra);
    const sampling = samplingIn(extra, costs);
    return builder.reply(
      {
        text: textual?.text ?? content,
        ...(textual && { written: content }),
        ...(reasoning && { reasoning }),
        ...costs,
        ...(sampling && { sampling }),
        calls:
          calls.length > 0
            ? calls
            : commands.map((call, index) => ({
                id: textIn(recordedActions?.[index], 'tool_call_id'),
                tool: call.tool,
                arguments: {
                  command: textIn(recordedActions?.[index], 'command') ?? (call.input as { command: string }).command,
                },
              })),
      },
      at,
    );
  }

  #costs(extra: JsonObject | undefined): { usage: Usage; model: string; finishReason?: string } {
    const response = objectIn(extra, 'response') ?? {};
    const usage = objectIn(response, 'usage');
    const finishReason = textIn(listIn(response, 'choices')?.[0], 'finish_reason');
    return {
      usage: {
        inputTokens: numberIn(usage, 'prompt_tokens') ?? numberIn(usage, 'input_tokens') ?? null,
        outputTokens: numberIn(usage, 'completion_tokens') ?? numberIn(usage, 'output_tokens') ?? null,
        cachedTokens: numberIn(objectIn(usage, 'prompt_tokens_details'), 'cached_tokens') ?? null,
        cost: numberIn(extra, 'cost') ?? null,
      },
      model: textIn(response, 'model') ?? this.#model,
      ...(finishReason !== undefined && { finishReason }),
    };
  }

  #result(
    message: JsonObject,
    {
      id,
      content,
      where,
      at,
    }: {
      readonly id: string | undefined;
      readonly content: string;
      readonly where: string;
      readonly at: number | undefined;
    },
  ): number | undefined {
    const seq = this.builder.observe(id, readObservation(objectIn(message, 'extra'), content), at);
    if (seq === undefined) this.builder.problem(where, 'It answers a call that does not exist, so it is skipped.');
    return seq;
  }

  /** Reads a user message: from a person, from the program, or the result of a command in a text reply. */
  #userMessage(message: JsonObject, content: string, where: string, at: number | undefined): number | undefined {
    const { builder } = this;
    const extra = objectIn(message, 'extra');
    const interrupt = textIn(extra, 'interrupt_type');
    const typed = listIn(extra, 'actions');
    if (typed && typed.length > 0) {
      this.#textual = true;
      return builder.reply(
        {
          by: 'person',
          text: '',
          finishReason: 'stop',
          calls: typed.map((action) => ({
            id: textIn(action, 'tool_call_id'),
            tool: 'bash',
            arguments: { command: textIn(action, 'command') ?? '' },
          })),
        },
        at,
      );
    }
    const response = objectIn(extra, 'response');
    if (interrupt === 'FormatError' || (response && interrupt === undefined)) {
      const assistantMessage = objectIn(listIn(response, 'choices')?.[0], 'message');
      const reply = builder.reply(
        {
          text: contentText(assistantMessage?.['content']) ?? '',
          ...this.#costs(extra),
          ...(listIn(assistantMessage, 'tool_calls')?.length && {
            unreadCalls: listIn(assistantMessage, 'tool_calls')!,
          }),
        },
        at,
      );
      return builder.append({ type: 'feedback', cause: 'format_error', text: content, hidesReply: true }, at) ?? reply;
    }
    const answersCommand = this.#textual && builder.open.length > 0 && interrupt === undefined;
    if (answersCommand) return this.#result(message, { id: undefined, content, where, at });
    if (interrupt === 'UserInterruption')
      return builder.append({ type: 'feedback', cause: 'interruption', text: content }, at);
    if (interrupt !== undefined && otherCauses.has(interrupt))
      return builder.append({ type: 'feedback', cause: interrupt as EventOf<'feedback'>['cause'], text: content }, at);
    const images = imagesIn(message['content']);
    return builder.append({ type: 'user_message', text: content, ...(images.length > 0 && { images }) }, at);
  }

  #finish(exitStatus: string, summary: string, at: number | undefined): number {
    const end = endFor(exitStatus);
    const [open] = this.builder.open.slice(-1);
    // The command that submitted the work has no result in the file. It printed the marker and the submission.
    if (end.status === 'submitted' && open) {
      const content = `${markers[0]}\n${summary}`;
      while (this.builder.open.length > 1)
        this.builder.observe(
          undefined,
          { outcome: 'unknown', content: 'The file contains no result of this action.' },
          at,
        );
      this.builder.observe(
        undefined,
        {
          outcome: 'ok',
          content,
          details: {
            kind: 'command',
            end: 'exited',
            exitCode: 0,
            durationMs: 0,
            cwd: '',
            tty: false,
            outputBytes: content.length,
            outputCharacters: content.length,
          },
        },
        at,
      );
    }
    return this.builder.append(
      { type: 'finished', ...end, summary: summary || exitStatus, ...resultsIn(this.#info) },
      at,
    );
  }

  /** Files of version 1, and of crashed runs, record their end only outside the messages. */
  #ending(): void {
    const status = textIn(this.#info, 'exit_status');
    if (status && this.builder.events.at(-1)?.type !== 'finished')
      this.#finish(status, textIn(this.#info, 'submission') || textIn(this.#info, 'exception_str') || '', undefined);
  }
}

/** Causes for which mini-swe-agent has no exit status of its own. */
const otherCauses: ReadonlySet<string> = new Set(
  FeedbackCause.options.filter((cause) => cause !== 'format_error' && cause !== 'interruption'),
);

/** Calls of the Responses API, which are items of the output. */
const functionCallsIn = (message: unknown): ReturnType<typeof callsIn> =>
  (listIn(message, 'output') ?? []).flatMap((item) =>
    textIn(item, 'type') === 'function_call'
      ? [
          {
            id: textIn(item, 'call_id'),
            tool: textIn(item, 'name') ?? '',
            arguments: (item as JsonObject)['arguments'],
          },
        ]
      : [],
  );

const timeIn = (message: unknown): number | undefined =>
  isRecord(message) ? (numberIn(objectIn(message, 'extra'), 'timestamp') ?? numberIn(message, 'timestamp')) : undefined;
const secondsIn = (message: unknown): number | undefined => {
  const seconds = timeIn(message);
  return seconds === undefined ? undefined : seconds * 1000;
};
