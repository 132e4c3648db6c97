import { hunks, type PatchSection } from './patchText';

const begin = /^\*\*\* Begin Patch\s*$/m;
const heading = /^\*\*\* (Add|Update|Delete) File: (.+?)\s*$/;

/** Whether this is a patch of the "*** Begin Patch" form (V4A), which places hunks by the lines around them and not by numbers. */
export const isContextPatch = (patch: string): boolean => begin.test(patch);

/** The files of such a patch. Throws an `Error` in words for the model when it names none. */
export function contextPatchSections(patch: string): PatchSection[] {
  const lines = patch.replaceAll('\r\n', '\n').split('\n');
  const starts = lines.flatMap((line, at) => (heading.test(line) ? [at] : []));
  if (starts.length === 0) throw new Error('The patch names no file. Begin each with "*** Update File: path", "*** Add File: path" or "*** Delete File: path".');
  return starts.map((start, index) => {
    const [, kind, path = ''] = heading.exec(lines[start]!)!;
    const body = lines.slice(start + 1, starts[index + 1] ?? lines.length);
    const end = body.findIndex(line => /^\*\*\* End Patch\s*$/.test(line));
    return section(kind!, path, end === -1 ? body : body.slice(0, end));
  });
}

function section(kind: string, path: string, body: readonly string[]): PatchSection {
  if (kind === 'Delete') return { from: path, to: null, rename: false, hunks: [] };
  if (kind === 'Add') {
    const lines = body.filter(line => line.startsWith('+'));
    return { from: null, to: path, rename: false, hunks: lines.length ? [{ header: `@@ -0,0 +1,${lines.length} @@`, lines, placed: true }] : [] };
  }
  const moved = /^\*\*\* Move to: (.+?)\s*$/.exec(body[0] ?? '')?.[1];
  const changes = body.slice(moved === undefined ? 0 : 1).filter(line => !/^\*\*\* End of File/.test(line));
  return { from: path, to: moved ?? path, rename: moved !== undefined, hunks: hunks(changes[0]?.startsWith('@@') ? changes : ['@@', ...changes]) };
}
