import * as z from 'zod';
import { changeFile, type Changed, readIfThere } from '../files/changeFile';
import { explainMiss } from '../files/closestMatch';
import type { DialectNames } from '../../ports/tool';
import { replaceExactly, type Replacement } from '../files/replacements';
import { matchInWords, replaceMatching, type MatchedReplacement } from '../matching/replaceMatching';
import { defineTool } from '../defineTool';
import { writeFile } from './writeFile';

/**
 * Replaces quoted texts. A file that the model never read, or that has changed since, may be edited if every old_text
 * occurs exactly once: quoting it proves that the model knows the place. `all` and inexact quotes require that the file
 * was read.
 */
export const editFile = defineTool({
  name: 'edit_file',
  description:
    'Replace parts of a file. Copy old_text exactly, with indentation, without line numbers. It must occur once: ' +
    'include nearby lines, or set all to replace each. Edits apply in order, all or none. ' +
    'Example: {"path":"a.py","edits":[{"old_text":"x = 1","new_text":"x = 2"}]}',
  input: z.object({
    path: z.string(),
    edits: z
      .array(
        z.object({
          old_text: z.string(),
          new_text: z.string(),
          all: z.boolean().optional(),
        }),
      )
      .min(1),
  }),
  accept: (raw) => normalizeEdits(raw),
  effect: 'writes',
  streamedArguments: { path: 'path', texts: ['new_text'] },
  summarize: ({ path, edits }) => `Edit ${path}${edits.length > 1 ? ` in ${edits.length} places` : ''}`,
  touches: ({ path, edits }) => ({ writes: [path], adds: edits.map(({ new_text: text }) => text).join('\n') }),
  allowKey: ({ path }) => path,
  async run({ path, edits }, context) {
    const [first] = edits;
    const quotesNothing = edits.length === 1 && first!.old_text === '';
    // Some models create a file by replacing nothing.
    if (quotesNothing && !(await readIfThere(path, context.environment.files)))
      return writeFile.bind({ path, content: first!.new_text }).run(context);
    const apply = (before: string, wasRead: boolean) => applied(edits, { before, wasRead, words: context.words });
    return changeFile(path, context, apply, { mayHaveChanged: true });
  },
});

/** Applies the edits in order, all or none. `seen`: the model read this text. */
async function applied(
  edits: readonly Replacement[],
  {
    before,
    wasRead: seen,
    words,
  }: { readonly before: string; readonly wasRead: boolean; readonly words: DialectNames | undefined },
): Promise<Changed> {
  let text = before;
  const notes: string[] = [];
  for (const [index, edit] of edits.entries()) {
    const refuse = (why: string, place = '') => {
      const which = edits.length > 1 ? `Edit ${index + 1} of ${edits.length}${place}: ` : '';
      return { refused: `${which}${withArgumentNames(why, words)}` };
    };
    if (edit.all && !seen) return refuse('Read the file before replacing every occurrence of a text.');
    const result = await replacedIn(text, edit, seen);
    if ('refused' in result) {
      // The file stays unchanged, so its own line numbers help most.
      const inFile = await replacedIn(before, edit, seen);
      return 'refused' in inFile ? refuse(inFile.refused) : refuse(result.refused, movedLines(before, text, index));
    }
    if ('missed' in result) return refuse(await explainMiss(text, result.missed), movedLines(before, text, index));
    if (result.matched) notes.push(withArgumentNames(matchInWords(result.matched, 'old_text'), words));
    text = result.text;
  }
  if (text === before) return { refused: 'The edits cancel each other out.' };
  return { text, ...(notes.length > 0 && { note: notes.join('\n') }) };
}

/** Says that line numbers are those of a text that is not in the file: the first `count` edits added or removed lines. */
function movedLines(before: string, after: string, count: number): string {
  const isMoved = before.split('\n').length !== after.split('\n').length;
  if (!isMoved) return '';
  return `, with lines numbered as after ${count === 1 ? 'edit 1' : `edits 1 to ${count}`}`;
}

/** Replaces the quoted text or, in a file that was read, the only similar place. */
async function replacedIn(text: string, edit: Replacement, seen: boolean): Promise<MatchedReplacement> {
  const exactly = replaceExactly(text, edit);
  if (!('missed' in exactly) || !seen || edit.all) return exactly;
  return replaceMatching(text, edit);
}

/** Models often put a single edit beside the path, or write edits as JSON text; both are unambiguous. */
function normalizeEdits(raw: unknown): unknown {
  if (typeof raw !== 'object' || raw === null) return raw;
  const { edits, old_text, new_text, all, ...rest } = raw as Record<string, unknown>;
  if (edits === undefined && old_text !== undefined)
    return { ...rest, edits: [{ old_text, new_text, ...(all !== undefined && { all }) }] };
  if (typeof edits !== 'string') return raw;
  try {
    return { ...rest, edits: JSON.parse(edits) as unknown };
  } catch {
    return raw;
  }
}

/**
 * Rewrites an error with the model's argument names. Only the first line contains such names; the others are lines of
 * the file.
 */
function withArgumentNames(why: string, words: DialectNames | undefined): string {
  if (!words) return why;
  const [first = '', ...rest] = why.split('\n');
  const named = first
    .replace(/\b(?:old_text|new_text)\b/g, (name) => words.argument('edit_file', name))
    .replace(/\bset all\b/g, `set ${words.argument('edit_file', 'all')}`)
    .replace(/\bread_file\b/g, words.tool('read_file'));
  return [named, ...rest].join('\n');
}
