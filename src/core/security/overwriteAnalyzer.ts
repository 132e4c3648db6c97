import type { Assessment } from '../../protocol/events/event';
import { seenVersions } from '../log/seenFiles';
import type { History } from '../log/projection';
import { FileProblem, type FileSnapshot, type Files } from '../ports/files';
import type { RiskAnalyzer } from '../ports/analyzer';
import { harmless, worst } from '../risk/assessment';
import { withCommas } from '../text/withCommas';

/**
 * Reports which files a call overwrites completely, and which of those that it changes are read-only: people could not
 * tell from its input.
 */
export const overwriteAnalyzer: RiskAnalyzer = {
  name: 'overwrite',
  async assess({
    call: {
      touches: { replaces = [], writes = [] },
    },
    environment: { files },
    history,
  }) {
    if (replaces.length === 0 && writes.length === 0) return undefined;
    // A file that is overwritten is also written: it is read once.
    const assessments = await Promise.all(
      [...new Set([...replaces, ...writes])].map(async (path) => {
        const before = await readIfPossible(path, files);
        if (!before) return [];
        return [
          ...(replaces.includes(path) ? [judgeOverwrite(path, before, history)] : []),
          ...(writes.includes(path) ? [judgeReadOnly(path, before)] : []),
        ];
      }),
    );
    return assessments.flat().reduce(worst, harmless);
  },
};

function judgeOverwrite(path: string, before: FileSnapshot, history: History): Assessment {
  if (before.text === '') return harmless;
  const lines = before.text.replace(/\n$/, '').split('\n').length;
  const what = `Overwrites ${before.path} (${withCommas(lines)} ${lines === 1 ? 'line' : 'lines'})`;
  const isRead = seenVersions(history).has(before.path);
  if (isRead) return { level: 'low', reasons: [`${what}.`] };
  return { level: 'medium', reasons: [`${what}, which the agent has not read.`], culprit: path };
}

function judgeReadOnly(path: string, before: FileSnapshot): Assessment {
  if (!before.readOnly) return harmless;
  return { level: 'medium', reasons: [`Changes ${before.path}, which is read-only.`], culprit: path };
}

/** An unreadable file causes an error when the call runs. */
async function readIfPossible(path: string, files: Files): Promise<FileSnapshot | undefined> {
  try {
    return await files.read(path);
  } catch (thrown) {
    if (thrown instanceof FileProblem) return undefined;
    throw thrown;
  }
}
