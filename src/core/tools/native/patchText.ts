import { contextSections } from '../patch/contextSections';
import { isContextMarker } from '../patch/contextPatch';
import type { PatchSection } from '../patch/patchSection';
import { startsUnifiedSection, unifiedSections } from '../patch/unifiedDiff';

/**
 * Splits a patch into its files. It is a unified diff, or in the form of Codex (V4A), which begins with
 * "*** Begin Patch". Throws an `Error` in words of that dialect for the model.
 */
export function patchSections(patch: string): PatchSection[] {
  return isContextPatch(patch) ? contextSections(patch) : unifiedSections(patch);
}

/** Every path that the patch would write, create, delete or rename. */
export function patchPaths(patch: string): string[] {
  return pathsIn(patch, ({ paths }) => paths);
}

/** Those of them of which nothing is kept where a file exists already. */
export function replacedPaths(patch: string): string[] {
  return pathsIn(patch, ({ replaces }) => replaces);
}

function pathsIn(patch: string, pathsOf: (section: PatchSection) => readonly string[]): string[] {
  try {
    return [...new Set(patchSections(patch).flatMap(pathsOf))];
  } catch {
    return [];
  }
}

/** The dialect is that of the first marker: a file that a patch changes may itself hold patches. */
function isContextPatch(patch: string): boolean {
  const lines = patch.replaceAll('\r\n', '\n').split('\n');
  const first = lines.findIndex((line, at) => isContextMarker(line) || startsUnifiedSection(lines, at));
  return first !== -1 && isContextMarker(lines[first]!);
}
