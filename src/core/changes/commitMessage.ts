import { changedBlocks, splitKeepingEndings } from './lineChanges';
import { shownText, type Snapshot } from './snapshot';

/** A chat message for a model. */
interface Words {
  readonly role: 'system' | 'user';
  readonly content: string;
}

/** A file before and after the part of it that is to be committed. */
interface CommittedFile {
  /** Path for display. */
  readonly path: string;
  readonly before: Snapshot;
  readonly after: Snapshot;
}

const maxCharacters = 24_000;

/** Returns a request for a commit message. `task`: the task of the agent. `hide`: masks secrets. */
export async function commitMessageRequest(
  task: string,
  files: readonly CommittedFile[],
  hide: (text: string) => string,
): Promise<Words[]> {
  const parts: string[] = [];
  for (const file of files) parts.push(await differenceOf(file));
  const difference = hide(parts.join('\n'));
  const shown = difference.length > maxCharacters ? `${difference.slice(0, maxCharacters)}\n… truncated` : difference;
  return [
    {
      role: 'system',
      content:
        'Write a Git commit message for the following diff. First line: what the change does, in the imperative, at most 72 characters. If more needs to be said, add an empty line and at most five short lines that say why. Answer with the message only.',
    },
    { role: 'user', content: `The task was: ${hide(task)}\n\nThe diff:\n${shown}` },
  ];
}

async function differenceOf({ path, before, after }: CommittedFile): Promise<string> {
  if (before.state === null) return [`Created ${path}`, ...marked('+', after)].join('\n');
  if (after.state === null) return `Deleted ${path}`;
  if (before.text === undefined || after.text === undefined) return `Changed ${path}, which is not text`;
  const [old, now] = [splitKeepingEndings(before.text), splitKeepingEndings(after.text)];
  const blocks = await changedBlocks(old, now);
  const lines = blocks.flatMap(({ oldFrom, oldTo, newFrom, newTo }) => [
    `@@ line ${oldFrom + 1}`,
    ...old.slice(oldFrom, oldTo).map((line) => `-${shownText(line).trimEnd()}`),
    ...now.slice(newFrom, newTo).map((line) => `+${shownText(line).trimEnd()}`),
  ]);
  return [`Changed ${path}`, ...lines].join('\n');
}

const marked = (mark: string, { text = '' }: Snapshot): string[] =>
  splitKeepingEndings(text).map((line) => `${mark}${shownText(line).trimEnd()}`);

/** Removes the fence or quotes around a message that a model wrote. */
export const cleanMessage = (text: string): string =>
  text
    .trim()
    .replace(/^```\w*\n/, '')
    .replace(/\n```$/, '')
    .trim();
