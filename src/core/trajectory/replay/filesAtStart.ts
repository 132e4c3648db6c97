import type { History } from '../../log/projection';
import { FileProblem, type Files } from '../../ports/files';

/**
 * Returns the files at the beginning of a run, as far as its log shows: the version of each file when it was first
 * read, or null for a file that the run created.
 */
export function filesAtStart(history: History): Map<string, string | null> {
  const versions = new Map<string, string | null>();
  const commands = new Set(
    history.flatMap((event) =>
      event.type === 'agent_response'
        ? event.actions.filter(({ effect }) => effect !== 'reads' && effect !== 'writes').map(({ id }) => id)
        : [],
    ),
  );
  let acted = false;
  for (const event of history) {
    // A file that a command may have changed before it was read says nothing about the initial state.
    if (event.type === 'action_started' && commands.has(event.actionId)) acted = true;
    if (event.type !== 'observation' || !event.details) continue;
    if (event.details.kind === 'read' && event.details.of === undefined && !acted && !versions.has(event.details.path))
      versions.set(event.details.path, event.details.version);
    if (event.details.kind !== 'edit') continue;
    for (const { path, kind } of event.details.changes) {
      if (versions.has(path)) continue;
      // The version of a file that was changed without being read is unknown.
      if (kind === 'created') versions.set(path, null);
      else versions.set(path, '');
    }
  }
  return new Map([...versions].filter(([, version]) => version !== ''));
}

/** Lists the files that changed since the run began, worded for people. */
export async function changedSinceStart(history: History, files: Pick<Files, 'read'>): Promise<string[]> {
  const changes: string[] = [];
  for (const [path, version] of filesAtStart(history)) {
    const now = await files.read(path).then(
      (snapshot) => snapshot.version,
      (thrown: unknown) => (thrown instanceof FileProblem && thrown.code === 'missing' ? null : undefined),
    );
    if (now === version || now === undefined) continue;
    const since = now === null ? 'no longer exists' : 'has changed since the run began';
    changes.push(version === null ? `${path} already exists, but the run created it.` : `${path} ${since}.`);
  }
  return changes;
}
