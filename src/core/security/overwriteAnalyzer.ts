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
    const found = await Promise.all([
      ...replaces.map((path) => judgeOverwrite(path, files, history)),
      ...writes.map((path) => judgeReadOnly(path, files)),
    ]);
    return found.reduce(worst, harmless);
  },
};

async function judgeOverwrite(path: string, files: Files, history: History): Promise<Assessment> {
  const before = await readIfPossible(path, files);
  if (!before || before.text === '') return harmless;
  const lines = before.text.replace(/\n$/, '').split('\n').length;
  const what = `Overwrites ${before.path} (${withCommas(lines)} ${lines === 1 ? 'line' : 'lines'})`;
  const isRead = seenVersions(history).has(before.path);
  if (isRead) return { level: 'low', reasons: [`${what}.`] };
  return { level: 'medium', reasons: [`${what}, which the agent has not read.`], culprit: path };
}

async function judgeReadOnly(path: string, files: Files): Promise<Assessment> {
  const before = await readIfPossible(path, files);
  if (!before?.readOnly) return harmless;
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
