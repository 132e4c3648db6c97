// A model that plays a script, for the tutorial and the tests. Its replies are prewritten and labelled as such;
// everything that happens because of them is real.
import * as z from 'zod';
import { abortableDelay } from '../../core/model/abortableDelay';
import { counted } from '../../core/text/amounts';
import { ModelProblem, type ChatMessage, type Model, type ModelReply, type ToolCall } from '../../core/ports/model';
import { truncate } from '../../protocol/plain/truncate';

const ScriptCall = z.strictObject({ tool: z.string().min(1), input: z.record(z.string(), z.unknown()).default({}) });

/** One reply of the model. */
export const ScriptLine = z
  .strictObject({
    say: z.string().optional(),
    reasoning: z.string().optional(),
    call: ScriptCall.optional(),
    calls: z.array(ScriptCall).optional(),
    /** Text that the observations and messages since the last reply must contain; if several, all of them. */
    expect: z.union([z.string(), z.array(z.string())]).optional(),
    /**
     * What the model says in place of this line if an observation since the last reply contains `ifSeen`, such as a
     * refusal. That ends its turn, and the next message repeats the line before this one.
     */
    instead: z.strictObject({ ifSeen: z.string().min(1), say: z.string().min(1) }).optional(),
    /** Milliseconds between the pieces of the reply; 0 sends all at once. */
    pauseMs: z.number().nonnegative().optional(),
  })
  .refine(
    ({ say, call, calls = [] }) => Boolean(say) || call !== undefined || calls.length > 0,
    'a line needs "say" with a text, "call" or "calls"',
  );
export type ScriptLine = z.input<typeof ScriptLine>;

/**
 * Parses a script with one JSON object per line; skips empty lines and lines that begin with //. Throws a
 * `ModelProblem` that names the line.
 */
export function parseScript(text: string, source = 'script'): ScriptLine[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    if (line.trim() === '' || line.trimStart().startsWith('//')) return [];
    const lineProblem = (why: string): ModelProblem =>
      new ModelProblem('script', {
        what: 'The script of the tutorial model cannot be read.',
        why: `Line ${index + 1} of ${source}: ${why}`,
        next: 'Correct that line.',
      });
    let json: unknown;
    try {
      json = JSON.parse(line);
    } catch (error) {
      throw lineProblem(`${(error as Error).message}.`);
    }
    const parsed = ScriptLine.safeParse(json);
    if (!parsed.success) throw lineProblem(z.prettifyError(parsed.error));
    return [parsed.data];
  });
}

interface ScriptedModelOptions {
  /** Shown next to the word "scripted". */
  readonly name?: string;
  /** Source of the script, for messages. */
  readonly source?: string;
  /** Default for lines without their own. */
  readonly pauseMs?: number;
}

/** Number of argument characters per piece. */
const pieceOfCall = 200;

/**
 * Plays `script`, one line per reply. The next line is derived from the conversation (one line per assistant message),
 * so a resumed run continues at the right line. A run that leaves the script ends with a `ModelProblem` of kind
 * `script`.
 */
export function scriptedModel(
  script: readonly ScriptLine[],
  { name = 'tutorial', source = 'the script', pauseMs = 0 }: ScriptedModelOptions = {},
): Model {
  const played: Script = { lines: script.map((line) => ScriptLine.parse(line)), source };
  const label = name.includes('scripted') ? name : `${name} (scripted)`;
  return {
    info: { name: label, provider: 'scripted', contextWindow: null, scripted: true, textOnly: true },
    async complete({ messages, onDelta }, signal) {
      signal.throwIfAborted();
      const started = performance.now();
      const replies = messages.filter(({ role }) => role === 'assistant');
      const line = lineFor(messages, replies, played);
      const pause = line.pauseMs ?? pauseMs;
      const breathe = (): Promise<void> => (pause > 0 ? abortableDelay(pause, signal) : Promise.resolve());
      let firstTokenMs: number | null = null;
      const say = async (kind: 'reasoning' | 'text', text: string): Promise<void> => {
        for (const piece of text.match(/(?<!\s)\s*\S+/g) ?? []) {
          await breathe();
          firstTokenMs ??= performance.now() - started;
          onDelta?.({ kind, text: piece });
        }
        const rest = /(?<!\s)\s+$/.exec(text)?.[0];
        if (rest) onDelta?.({ kind, text: rest });
      };
      await say('reasoning', line.reasoning ?? '');
      await say('text', line.say ?? '');
      const calls = [...(line.call ? [line.call] : []), ...(line.calls ?? [])].map(
        ({ tool, input }, place): ToolCall => ({
          id: `script_${replies.length + 1}_${place + 1}`,
          type: 'function',
          function: { name: tool, arguments: JSON.stringify(input) },
        }),
      );
      for (const [call, { function: written }] of calls.entries())
        for (let at = 0; at < written.arguments.length; at += pieceOfCall) {
          const piece = written.arguments.slice(at, at + pieceOfCall);
          await breathe();
          onDelta?.({ kind: 'tool', tool: written.name, bytes: at + piece.length, call, piece });
        }
      signal.throwIfAborted();
      return {
        text: line.say ?? '',
        ...(line.reasoning && { reasoning: { text: line.reasoning } }),
        toolCalls: calls,
        // A script costs nothing, so the cost is 0; no provider counted tokens, so they are null.
        usage: { inputTokens: null, outputTokens: null, cachedTokens: null, cost: 0 },
        finishReason: calls.length > 0 ? 'tool_calls' : 'stop',
        model: label,
        firstTokenMs,
      } satisfies ModelReply;
    },
  };
}

interface Script {
  readonly lines: readonly z.output<typeof ScriptLine>[];
  /** For messages. */
  readonly source: string;
}

/** Returns the line to play after a conversation with these replies. Throws if it does not fit, or there is none. */
function lineFor(
  messages: readonly ChatMessage[],
  replies: readonly ChatMessage[],
  { lines, source }: Script,
): z.output<typeof ScriptLine> {
  const isAside = (reply: ChatMessage | undefined): boolean =>
    lines.some(({ instead }) => instead !== undefined && instead.say === reply?.content);
  const index = replies.length - 2 * replies.filter(isAside).length;
  const refuse = (why: string): ModelProblem =>
    differs(`Line ${index + 1} of ${source}`, why, lastMessageText(messages));
  const seen = sinceLastReply(messages);
  const isSeen = (text: string): boolean => seen.some(({ content }) => content.includes(text));
  const found = lines[index];
  const line = found?.instead !== undefined && isSeen(found.instead.ifSeen) ? { say: found.instead.say } : found;
  if (!line) throw refuse(`the script has only ${counted(lines.length, 'line')}`);
  // A repeated line comes after a message, not after what it expects.
  const expected = isAside(replies.at(-1)) || !('expect' in line) ? [] : [line.expect ?? []].flat();
  const missing = expected.find((text) => !isSeen(text));
  if (missing !== undefined) throw refuse(`it expects “${missing}” in the latest observation`);
  return line;
}

const sinceLastReply = (messages: readonly ChatMessage[]): readonly ChatMessage[] =>
  messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1);

const lastMessageText = (messages: readonly ChatMessage[]): string => {
  const text = messages.at(-1)?.content.replace(/\s+/g, ' ').trim() ?? '';
  return truncate(text, 300);
};

function differs(place: string, expected: string, received: string): ModelProblem {
  return new ModelProblem('script', {
    what: 'The run left the script.',
    why: `${place}: ${expected}; the last one was “${received}”.`,
    next: 'The scripted model can only play its one task from the beginning. Restart that task, or choose a real model.',
  });
}
