import { FileProblem, type Files } from '../../ports/files';
import type { CodeLocation } from '../../ports/codeServices';
import type { ToolResult } from '../../ports/tool';
import { secretReads, rulesFor } from '../../risk/pathRules';
import { shownName } from '../../text/shownName';
import { truncate } from '../../../protocol/plain/truncate';

const maxLocations = 100;
const maxLineLength = 300;

/** Lists locations in files with the text of each line, in the format of search matches. */
export async function locationsInWords(
  query: string,
  locations: readonly CodeLocation[],
  files: Files,
): Promise<ToolResult> {
  const shown = locations.slice(0, maxLocations);
  const paths = [...new Set(shown.map(({ path }) => path))];
  const details = {
    kind: 'search' as const,
    query,
    files: paths.length,
    matches: shown.length,
    truncated: locations.length > shown.length,
  };
  const blocks = await Promise.all(
    paths.map(async (path) => {
      const own = shown.filter((location) => location.path === path);
      const lines = own[0]!.isInside ? await linesOfFile(path, files) : [];
      const where = own[0]!.isInside ? '' : ' (outside the workspace)';
      const places = own.map(({ line }) => `${String(line).padStart(5)}\t${shortened(lines[line - 1] ?? '')}`);
      return [shownName(path) + where, ...new Set(places)].join('\n');
    }),
  );
  const more = details.truncated ? [`[Only ${maxLocations} of ${locations.length} places are shown.]`] : [];
  return { content: [...blocks, ...more].join('\n'), details };
}

/**
 * Returns no lines for unreadable files and for files that usually contain secrets: a symbol lookup is not consent to
 * read those.
 */
async function linesOfFile(path: string, files: Files): Promise<readonly string[]> {
  if (rulesFor(path, secretReads).length > 0) return [];
  try {
    return (await files.read(path)).text.split('\n');
  } catch (thrown) {
    if (thrown instanceof FileProblem) return [];
    throw thrown;
  }
}

const shortened = (line: string): string => truncate(line, maxLineLength);
