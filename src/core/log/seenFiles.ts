import { projection, type History } from './projection';

/** Version of each file that the model was last shown or wrote itself, by `FileSnapshot.path`. */
export const seenVersions: (history: History) => ReadonlyMap<string, string> = projection<Map<string, string>>(
  () => new Map(),
  (versions, event) => {
    if (event.type !== 'observation' || !event.details) return;
    if (event.details.kind === 'read') versions.set(event.details.path, event.details.version);
    if (event.details.kind === 'edit') {
      for (const { path, from, version } of event.details.changes) {
        if (from !== undefined) versions.delete(from);
        if (version === undefined) versions.delete(path);
        else versions.set(path, version);
      }
    }
  },
);

/** Extensions of files that the model was shown or wrote, such as "ts" and "ipynb". */
export const seenExtensions: (history: History) => ReadonlySet<string> = projection<Set<string>>(
  () => new Set(),
  (endings, event) => {
    if (event.type !== 'observation' || !event.details) return;
    const { details } = event;
    if (details.kind === 'read') endings.add(endingOf(details.path));
    if (details.kind === 'edit') for (const { path } of details.changes) endings.add(endingOf(path));
  },
);

const endingOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1).toLowerCase();
