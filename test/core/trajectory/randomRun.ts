import type { Event } from '../../../src/protocol/events/event';
import type { ModelReply } from '../../../src/core/ports/model';
import { seededRandom } from '../../../src/core/model/sampling/seededRandom';
import { fencedFormat } from '../../../src/core/model/formats/oneCommand';
import type { NewEvent } from '../../../src/protocol/events/event';
import { begin, call, plays, says, usage } from '../agent/story';
import { uncounted } from '../../support/newEvents';

const words = [
  'Look at it.',
  'Für später 🌱',
  'a "quoted" word\n\tand a tab',
  '<think>hm</think>',
  '</tool_call>',
  '{"not": "json',
  '[1, 2',
  '',
  '  spaced  ',
  '\u2028line\u0007bell\u007f',
  'naïve 日本語',
  '<script>alert(1)</script>',
  '`code` & <b>',
];

/** The smallest possible PNG. */
const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';

/**
 * A real run of the real loop, generated from a seed: text, calls of all outcomes, refusals, notes, questions,
 * condensed or not, ended or not.
 */
export async function randomRun(seed: number): Promise<Event[]> {
  const random = seededRandom(seed);
  const one = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const chance = (share: number): boolean => random() < share;
  const aCall = (): ReturnType<typeof call> => {
    const tool = one(['look', 'look', 'change', 'command', 'risk', 'ask', 'nonesuch']);
    const value = one([...words, 'boom']);
    const input = (): unknown => {
      if (chance(0.2)) return ` {"name" : ${JSON.stringify(value)}, "n": 1.0}`;
      if (chance(0.1)) return '{"name": ';
      return tool === 'ask' ? { question: value || '?' } : { name: value };
    };
    return call(tool, input(), `call_${seed}_${Math.floor(random() * 1e9)}`);
  };
  const aReply = (): ModelReply => {
    const calls = chance(0.8) ? Array.from({ length: 1 + Math.floor(random() * 3) }, aCall) : [];
    const usage = {
      inputTokens: one([null, 100, 2000]),
      outputTokens: one([null, 7]),
      cachedTokens: one([null, 0, 50]),
      cost: one([null, 0, 0.0125]),
    };
    return {
      ...says(one(words) || (calls.length > 0 ? '' : 'Done.'), ...calls),
      usage,
      ...(chance(0.4) && {
        reasoning: { text: one(words) || 'hm', field: one(['reasoning_content', 'reasoning'] as const) },
      }),
    };
  };
  const textual = chance(0.2);
  const fence = '```';
  const script = Array.from({ length: 2 + Math.floor(random() * 6) }, () =>
    textual ? says(`${one(words)}\n\n${fence}bash\n${one(words) || 'true'}\n${fence}\n`) : aReply(),
  );
  const told = begin(
    plays(...script, says('', call('finish', { summary: one(words) || 'All done.' }, `end_${seed}`))),
    {
      first: {
        systemPrompt: one(words) || 'Be good.',
        task: one(words) || 'Do it.',
        ...(chance(0.3) && { prompt: `Solve this:\n${one(words)}` }),
        limits: { steps: one([0, 3, 20]), cost: 0, seconds: 0 },
      },
      ...(textual && { parts: { format: fencedFormat('bash', 'command') } }),
    },
  );
  for (let round = 0; round < 12; round++) {
    await told.go();
    const { history } = told;
    const asked = history.findLast((event) => event.type === 'confirmation_requested');
    const question = history.findLast((event) => event.type === 'question_asked');
    const answered = new Set(history.flatMap((event) => (event.type === 'observation' ? [event.actionId] : [])));
    if (question && !answered.has(question.actionId)) told.answer(question.actionId, one(words) || 'yes');
    else if (asked?.actionIds.some((id) => !answered.has(id)))
      for (const id of asked.actionIds) {
        if (answered.has(id)) continue;
        if (chance(0.6)) told.approve(id, { comment: one(words) });
        else told.refuse(id, { comment: one(words) });
      }
    else if (chance(0.5)) told.say(one(words) || 'Go on.');
    else break;
  }
  const history: Event[] = structuredClone([...told.history]);
  if (chance(0.5)) history.push(...rare(history, seed, one(words)));
  // Images attached to the task and to later messages.
  for (const event of history)
    if ((event.type === 'task_started' || event.type === 'user_message') && chance(0.2))
      event.images = [{ mediaType: one(['image/png', 'image/jpeg']), data: picture }];
  return history.map((event, seq) => ({ ...event, seq, at: 1_790_000_000_000 + seq * 1234 }));
}

/** Events that the story cannot produce: a command typed by the user, an unusable reply, a condensed beginning. */
function rare(history: readonly Event[], seed: number, word: string): Event[] {
  const from = history.length;
  const reply = {
    readUpTo: from,
    text: '',
    actions: [],
    usage,
    model: 'story',
    finishReason: 'stop',
    durationMs: 5,
    firstTokenMs: null,
  };
  const typed = {
    id: `typed_${seed}`,
    tool: 'bash',
    input: { command: `echo ${word}` },
    summary: 'echo',
    group: 0,
    risk: { level: 'low' as const, reasons: [] },
    effect: 'executes' as const,
  };
  const news: NewEvent[] = [
    { type: 'user_message', text: `echo ${word}` },
    {
      type: 'agent_response',
      ...reply,
      readUpTo: from + 1,
      by: 'person',
      usage: uncounted,
      actions: [typed],
    },
    {
      type: 'observation',
      actionId: typed.id,
      outcome: 'error',
      content: `${word}\n[exit code 3]`,
      details: {
        kind: 'command',
        end: 'exited',
        exitCode: 3,
        durationMs: 4,
        cwd: '/',
        tty: false,
        outputBytes: 5,
        outputCharacters: word.length + 1,
      },
    },
    { type: 'agent_response', ...reply, readUpTo: from + 3, text: word || 'Hm.' },
    { type: 'feedback', cause: 'format_error', text: 'That was no command.', hidesReply: true },
    { type: 'condensation', forgotten: history.slice(1, 4).map(({ seq }) => seq), summary: word, reasons: ['tokens'] },
    { type: 'agent_response', ...reply, readUpTo: from + 6, text: 'Well then.' },
  ];
  return news.map((event, index): Event => ({ ...event, seq: from + index, at: 0 }));
}
