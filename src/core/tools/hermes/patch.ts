import * as z from 'zod';
import { applyPatch, runPatch } from '../native/applyPatch';
import { changeFile } from '../files/changeFile';
import { explainMiss } from '../files/closestMatch';
import { matchInWords, replaceMatching } from '../matching/replaceMatching';
import { defineTool } from '../defineTool';
import type { BoundTool } from '../../ports/tool';

const Input = z
  .object({
    mode: z.enum(['replace', 'patch']).optional().describe('default replace'),
    path: z.string().optional(),
    old_string: z.string().optional(),
    new_string: z.string().optional(),
    replace_all: z.boolean().optional(),
    patch: z.string().optional().describe('for mode patch: "*** Begin Patch" … "*** End Patch", or a unified diff'),
  })
  .refine(({ mode, patch }) => mode !== 'patch' || patch !== undefined, 'Mode patch needs patch.')
  .refine(
    ({ mode, path, old_string, new_string }) =>
      mode === 'patch' || (path !== undefined && old_string !== undefined && new_string !== undefined),
    'Mode replace needs path, old_string and new_string.',
  );

/** A replacement that tolerates inexact quotes, or a whole patch. */
export const patch = defineTool({
  name: 'patch',
  description:
    'Change files: replace a text that occurs once (small whitespace differences are tolerated), or apply a patch to several files.',
  input: Input,
  example: { path: 'src/app.ts', old_string: 'old text', new_string: 'new text' },
  effect: 'writes',
  streamedArguments: { path: 'path', texts: ['new_string', 'patch'] },
  summarize: (input) => asPatch(input)?.summary ?? `Edit ${input.path}`,
  touches: (input) => {
    const whole = asPatch(input);
    if (!whole) return { writes: [input.path!], adds: input.new_string ?? '' };
    return { ...whole.touches, replaces: [] };
  },
  allowKey: (input) => (asPatch(input) ? asPatch(input)!.allowKey : input.path),
  async run(input, context) {
    // Unlike Codex, Hermes refuses to add a file that exists.
    if (input.mode === 'patch') return runPatch(input.patch!, context, { keepsExisting: true });
    const { path, old_string, new_string, replace_all: all = false } = input;
    return changeFile(path!, context, async (text, seen) => {
      if (all && !seen) return { refused: 'Read the file before replacing every occurrence of a text.' };
      const result = await replaceMatching(text, { old_text: old_string!, new_text: new_string!, all });
      if ('missed' in result)
        return { refused: (await explainMiss(text, result.missed)).replaceAll('old_text', 'old_string') };
      if ('refused' in result) return result;
      const { text: after, matched } = result;
      return { text: after, ...(matched && { note: matchInWords(matched, 'old_string') }) };
    });
  },
});

const asPatch = ({ mode, patch: text }: z.output<typeof Input>): BoundTool | undefined =>
  mode === 'patch' ? applyPatch.bind({ patch: text }) : undefined;
