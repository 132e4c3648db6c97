import type { Action, Event, EventOf, NewEvent } from '../../../protocol/events/event';
import type { ReadOptions, ReadProblem } from '../format';
import { withinMaxNesting, textIn } from './json';
import { unknownUsage } from '../../log/spending';

/** A tool call as stored in a file. */
export interface StoredCall {
  /** Generated if absent. */
  readonly id?: string | undefined;
  readonly tool: string;
  /** Arguments as JSON text or as a value. */
  readonly arguments: unknown;
  /** See `Action.signature`. */
  readonly signature?: string | undefined;
  /** One-line summary for people; made from the arguments if absent. */
  readonly summary?: string | undefined;
  /** Unknown if absent. */
  readonly risk?: Action['risk'] | undefined;
}

type Reply = Partial<Omit<EventOf<'agent_response'>, 'seq' | 'at' | 'type' | 'actions' | 'readUpTo'>> & {
  readonly calls?: readonly StoredCall[];
};

/** Builds a log from a file of another format. The result always follows the invariants of the log. */
export class LogBuilder {
  readonly events: Event[] = [];
  readonly problems: ReadProblem[] = [];
  /** Source of each event, by `keyOf`. */
  readonly originals = new Map<string, unknown>();
  /** Parts of the file without an event, by index. */
  readonly others = new Map<number, unknown>();
  /** Calls without a result, in order, with their ids in the file. */
  readonly #open: { id: string | undefined; action: Action }[] = [];
  readonly #ids = new Set<string>();
  /** Time of the last event. */
  #at = 0;

  constructor(readonly options: ReadOptions = {}) {}

  /** Records what is wrong with the file, for people. `where`: the place in the file. */
  problem(where: string, words: string): void {
    this.problems.push({ where, words });
  }

  /**
   * Appends an event and returns its `seq`. `at` is milliseconds since 1970; by default, the time of the previous
   * event.
   */
  append(event: NewEvent, at?: number): number {
    this.#at = at ?? this.#at;
    return this.events.push({ ...event, seq: this.events.length, at: this.#at }) - 1;
  }

  /** Appends a reply with its calls, and returns its `seq`. Fields that the file does not contain are empty. */
  reply({ calls = [], ...fields }: Reply, at?: number): number {
    const actions = calls.map((call, group) => this.#action(call, group));
    // An action typed by a person is a user message followed by the action.
    if (fields.by === 'person')
      this.append(
        {
          type: 'user_message',
          text: actions.map(({ input }) => textIn(input, 'command') ?? JSON.stringify(input)).join('\n'),
        },
        at,
      );
    actions.forEach((action, index) => this.#open.push({ id: calls[index]!.id, action }));
    return this.append(
      {
        type: 'agent_response',
        readUpTo: this.events.length,
        text: '',
        usage: unknownUsage,
        model: '',
        finishReason: '',
        durationMs: 0,
        firstTokenMs: null,
        ...fields,
        actions,
      },
      at,
    );
  }

  /**
   * Appends the result of the call with this id in the file, or of the first open call if the id is undefined. Returns
   * the `seq` of the event, or undefined if there is no such call.
   */
  observe(
    id: string | undefined,
    result: Omit<EventOf<'observation'>, 'seq' | 'at' | 'type' | 'actionId'>,
    at?: number,
  ): number | undefined {
    const index = id === undefined ? 0 : this.#open.findIndex((open) => open.id === id);
    const [call] = index < 0 ? [] : this.#open.splice(index, 1);
    return call && this.append({ type: 'observation', actionId: call.action.id, ...result }, at);
  }

  /** Calls without a result so far, in order. */
  get open(): readonly Action[] {
    return this.#open.map(({ action }) => action);
  }

  #action({ id, tool, arguments: written, signature, summary, risk }: StoredCall, group: number): Action {
    const { input, rawInput, problem } = readArguments(written);
    const effect = effectOf(tool);
    return {
      id: this.#freeId(id),
      tool: tool || 'unnamed',
      input,
      summary: summary ?? formatCall(tool, input),
      group,
      risk: risk ?? { level: 'unknown', reasons: [] },
      ...(signature !== undefined && { signature }),
      ...(rawInput !== undefined && { rawInput }),
      ...(problem !== undefined && { problem }),
      ...(effect && { effect }),
    };
  }

  /** Returns the id unchanged if no other action has it. Otherwise, adds a number to it. */
  #freeId(fileId: string | undefined): string {
    const base = fileId || `call_${this.#ids.size + 1}`;
    let id = base;
    for (let number = 2; this.#ids.has(id); number++) id = `${base}#${number}`;
    this.#ids.add(id);
    return id;
  }
}

function readArguments(written: unknown): Pick<Action, 'input' | 'rawInput' | 'problem'> {
  if (typeof written !== 'string') return { input: written ?? {} };
  if (written.trim() === '') return { input: {}, rawInput: written };
  try {
    const input = withinMaxNesting(JSON.parse(written));
    return { input, ...(JSON.stringify(input) !== written && { rawInput: written }) };
  } catch {
    return { input: {}, rawInput: written, problem: 'The arguments are not JSON.' };
  }
}

/** Arguments that describe a call best, the best first. */
const tellingFields = [
  'command',
  'cmd',
  'path',
  'file_path',
  'query',
  'pattern',
  'question',
  'message',
  'thought',
  'url',
  'task',
  'name',
];

/** Formats a call on one line for people: "bash: npm test". */
function formatCall(tool: string, input: unknown): string {
  const fields = typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {};
  const words = tellingFields
    .map((field) => fields[field])
    .find((value) => typeof value === 'string' && value.trim() !== '') as string | undefined;
  const [line = ''] = (words ?? '').trim().split('\n');
  return line === '' ? tool || 'unnamed' : `${tool || 'unnamed'}: ${line.slice(0, 200)}`;
}

/** Guesses the effect of a tool from its name. */
function effectOf(tool: string): Action['effect'] {
  if (
    /^(?:(?:execute|run)_)?(?:bash|shell|terminal|command)(?:_command|_tool)?$|^run_command$|^execute_bash$/i.test(tool)
  )
    return 'executes';
  if (/^(?:finish|submit|attempt_completion|task_complete)$/i.test(tool)) return 'ends';
  if (/^(?:read|list|view|search|grep|glob)(?:_|$)/i.test(tool)) return 'reads';
  if (/^(?:write|edit|patch|create|str_replace|apply_patch|file_editor)/i.test(tool)) return 'writes';
  return undefined;
}
