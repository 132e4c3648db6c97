import { titleLine } from '../../protocol/plain/truncate';
import type { Event, PromptPart, EventOf } from '../../protocol/events/event';
import { viewOf } from '../model/messages';
import type { History } from '../log/projection';
import { tokensPerCharacter } from '../condense/contextFill';
import { hookName, hookWords } from '../ports/hook';
import type { ToolSchema } from '../ports/model';
import { partText, resentReasoning } from '../log/eventFacts';

/** Kind of a part. `memory`: notes of earlier sessions. `context`: content mentioned in a message. */
export type PartKind =
  | 'system'
  | 'skills'
  | 'memory'
  | 'tool'
  | 'message'
  | 'context'
  | 'image'
  | 'skill'
  | 'reply'
  | 'reasoning'
  | 'result'
  | 'note'
  | 'summary';

/** A part of a request, in the order in which the model reads it. */
export interface RequestPart {
  readonly kind: PartKind;
  /** Name within its kind: a tool, a path or the first words. Empty if there is only one. */
  readonly name: string;
  readonly text: string;
  /**
   * Estimated tokens, scaled to the provider's count if available. Null for images, which providers count differently.
   */
  readonly tokens: number | null;
}

/** Returns all parts of the request for a log. `tools`: tools sent in addition to the messages. */
export function requestParts(history: History, tools: readonly ToolSchema[]): RequestPart[] {
  const sent = tools.map(({ name, description, parameters }) => ({
    name,
    text: JSON.stringify({ name, description, parameters }),
  }));
  const scale = tokensPerCharacter(
    history,
    sent.reduce((sum, { text }) => sum + text.length, 0),
  );
  const part = (kind: PartKind, name: string, text: string): RequestPart => ({
    kind,
    name,
    text,
    tokens: kind === 'image' ? null : Math.round(text.length * scale),
  });
  const toolOf = new Map<string, string>();
  const [first, ...rest] = viewOf(history).map((event) => requestPartsOf(event, part, toolOf));
  const system = first?.filter(({ kind }) => kind === 'system' || kind === 'skills' || kind === 'memory') ?? [];
  return [
    ...system,
    ...sent.map(({ name, text }) => part('tool', name, text)),
    ...(first ?? []).filter((each) => !system.includes(each)),
    ...rest.flat(),
  ];
}

function requestPartsOf(
  event: Event,
  part: (kind: PartKind, name: string, text: string) => RequestPart,
  toolOf: Map<string, string>,
): RequestPart[] {
  switch (event.type) {
    case 'task_started':
      return [
        ...promptPartsOf(event)
          .filter(({ text }) => text.trim() !== '')
          .map(({ kind, text }) => part(partKinds[kind], '', text)),
        part('message', titleLine(event.task), event.prompt ?? event.task),
        ...attachmentParts(event, part),
      ];
    case 'user_message':
      return [part('message', titleLine(event.text), event.text), ...attachmentParts(event, part)];
    case 'skill_woken':
      return [part('skill', event.path, event.text)];
    case 'hook_ran':
      return event.context ? [part('note', hookName(event), hookWords(event))] : [];
    case 'feedback':
      return event.text ? [part('note', '', event.text)] : [];
    case 'condensation':
      return event.summary ? [part('summary', '', event.summary)] : [];
    case 'observation':
      return [part('result', toolOf.get(event.actionId) ?? '', event.worded ?? event.content)];
    case 'agent_response': {
      for (const { id, summary } of event.actions) toolOf.set(id, summary);
      const calls =
        event.written === undefined
          ? event.actions.map(
              ({ tool, input, rawInput, called }) => `${called?.name ?? tool} ${rawInput ?? JSON.stringify(input)}`,
            )
          : [];
      const words = [event.written ?? event.text, ...calls].filter(Boolean).join('\n');
      const reasoning = resentReasoning(event.reasoning);
      return [
        ...(reasoning ? [part('reasoning', '', reasoning)] : []),
        ...(words ? [part('reply', titleLine(words), words)] : []),
      ];
    }
    default:
      return [];
  }
}

function attachmentParts(
  { context = [], images = [] }: Pick<Extract<Event, { type: 'user_message' }>, 'context' | 'images'>,
  part: (kind: PartKind, name: string, text: string) => RequestPart,
): RequestPart[] {
  return [
    ...context.map((each) => part('context', each.label, partText(each))),
    ...images.map(({ mediaType }) => part('image', mediaType, '')),
  ];
}

/** Kind shown to people for each part of a logged prompt. */
const partKinds: Readonly<Record<PromptPart['kind'], 'system' | 'skills' | 'memory'>> = {
  prefix: 'system',
  own: 'system',
  skills: 'skills',
  memory: 'memory',
  persona: 'system',
  suffix: 'system',
};

/** First lines of the sections that Waymark added to system prompts before format 3. */
const earlierOpenings: Readonly<Record<'skills' | 'memory', readonly string[]>> = {
  skills: [
    'What the people of this repository ask of everybody who works in it:',
    'Skills. Before work that one of them is for, read it with use_skill:',
    'Personas that delegate can hand a task to:',
  ],
  memory: ['Notes of earlier sessions about this work', 'Notes of earlier sessions about the user'],
};

/**
 * Returns the parts of a session's system prompt. Logs before format 3 contain it in one piece, which is split where
 * such a section begins.
 */
function promptPartsOf({
  promptParts,
  systemPrompt = '',
}: Pick<EventOf<'task_started'>, 'promptParts' | 'systemPrompt'>): readonly PromptPart[] {
  if (promptParts !== undefined) return promptParts;
  const starts = (['skills', 'memory'] as const)
    .flatMap((kind) => earlierOpenings[kind].map((line) => ({ kind, at: systemPrompt.indexOf(`\n\n${line}`) })))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at);
  const sections = [{ kind: 'own' as const, at: 0 }, ...starts];
  return sections.map(({ kind, at }, index) => ({
    kind,
    text: systemPrompt.slice(at, sections[index + 1]?.at).trim(),
  }));
}
