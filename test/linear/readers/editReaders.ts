import { diskFiles } from '../../../src/adapters/files/diskFiles';
import { applyPatch, patchPaths, replacedPaths } from '../../../src/core/tools/native/applyPatch';
import { rehearse } from '../../../src/core/tools/files/rehearse';
import { temporaryWorkspace } from '../../support/temporaryWorkspace';
import { explainMiss } from '../../../src/core/tools/files/closestMatch';
import { fileChange } from '../../../src/core/tools/files/fileChange';
import { strategies } from '../../../src/core/tools/matching/replaceMatching';
import { globMatcher, globProblem } from '../../../src/core/text/glob';
import { replaceExactly } from '../../../src/core/tools/files/replacements';
import { fingerprints } from '../../../src/core/trajectory/provenance/fingerprints';
import { matchLines } from '../../../src/core/trajectory/provenance/matchLines';
import type { Reader } from './readers';
import { untouched } from '../../support/toolContext';

/** A model's quotation of a file: its first half with a change in the middle, at the end, or in front. */
const quotes: readonly { readonly name: string; of(text: string): string }[] = [
  {
    name: 'another middle',
    of: (text) => `${half(text).slice(0, half(text).length / 2)}x${half(text).slice(half(text).length / 2)}`,
  },
  { name: 'another end', of: (text) => `${half(text)}x` },
  { name: 'another beginning', of: (text) => `x${half(text)}` },
  { name: 'a line between', of: (text) => `${half(text)}\nx\n${half(text)}` },
  { name: 'itself', of: (text) => half(text) },
  { name: 'a small part', of: (text) => text.slice(0, 40) },
];

const half = (text: string): string => text.slice(0, text.length / 2);

const hunkOf = (lines: string): string =>
  lines
    .split('\n')
    .map((line) => `-${line}`)
    .join('\n');

/** Everything that compares model output with a file. */
export function editReaders(): Reader[] {
  const byQuote = quotes.flatMap(({ name, of }): Reader[] => [
    ...strategies.map((strategy) => ({
      name: `matching ${strategy.name}, ${name}`,
      read: (text: string) => strategy.places(text, of(text)),
    })),
    { name: `exact replacement, ${name}`, read: (text) => replaceExactly(text, { old_text: of(text), new_text: 'y' }) },
    { name: `closest place, ${name}`, read: (text) => explainMiss(text, of(text)) },
    { name: `change of a file, ${name}`, read: (text) => fileChange('a', text, of(text)) },
    { name: `whose lines, ${name}`, read: (text) => matchLines(fingerprints(text), fingerprints(of(text))) },
    {
      name: `context patch, ${name}`,
      read: (text) =>
        applied(`*** Begin Patch\n*** Update File: a\n@@\n${hunkOf(of(text))}\n+y\n*** End Patch\n`, text),
    },
    {
      name: `unified diff, ${name}`,
      read: (text) => applied(`--- a/a\n+++ b/a\n@@ -1,1 +1,1 @@\n${hunkOf(of(text))}\n+y\n`, text),
    },
  ]);
  return [
    ...byQuote,
    { name: 'a patch', read: (text) => applied(text, 'a\n') },
    { name: 'a patch between its marks', read: (text) => applied(`*** Begin Patch\n${text}\n*** End Patch`, 'a\n') },
    {
      name: 'a section of a patch',
      read: (text) => applied(`*** Begin Patch\n*** Update File: a\n@@\n${text}\n*** End Patch`, 'a\n'),
    },
    { name: 'a unified diff', read: (text) => applied(`--- a/a\n+++ b/a\n${text}`, 'a\n') },
    {
      name: 'paths of a patch',
      read: (text) => [patchPaths(text), replacedPaths(text)],
    },
    { name: 'a glob', read: (text) => (globProblem(text) === undefined ? globMatcher(text)('a/b') : undefined) },
    { name: 'a path for a glob', read: (text) => globMatcher('**/*a*/**/?b[a-z]*')(text) },
    { name: 'a path for alternatives', read: (text) => globMatcher('{a,aa,*}/{**/a,b}!(a)*')(text) },
  ];
}

const workspace = temporaryWorkspace();
process.once('exit', () => workspace.stop());
const environment = {
  root: workspace.root,
  files: diskFiles({ folders: [workspace.root] }),
  search: undefined!,
  terminal: untouched.terminal,
};

/** Applies a patch to a file on disk and returns the result. */
async function applied(patch: string, text: string): Promise<void> {
  workspace.place('a', text);
  const call = applyPatch.bind({ patch });
  await rehearse(call, environment, { versionSeen: () => undefined });
}
