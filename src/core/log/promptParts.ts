import type { EventOf, PromptPart } from '../../protocol/events/event';

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
export function promptPartsOf({
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
