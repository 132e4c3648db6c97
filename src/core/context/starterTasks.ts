/** What is known of a folder in which nothing was asked yet. */
export interface FolderFacts {
  /** Files that are not ignored, as people are shown them. */
  readonly names: readonly string[];
  /** Errors that language servers report. */
  readonly errors: number;
  /** A file with a TODO comment. */
  readonly todoIn?: string | undefined;
  /** The file that is open in the editor. */
  readonly open?: string | undefined;
}

/** A task to begin with. `file`: what it is about. */
export type StarterKind =
  | { readonly kind: 'errors' | 'tests' | 'todos' | 'overview' | 'create' }
  | { readonly kind: 'readme' | 'open'; readonly file: string };

const mostTasks = 4;
const testFile = /(?:^|\/)(?:tests?|__tests__|spec)\/|[._-](?:test|spec)\.\w+$|(?:^|\/)test_[^/]+\.py$|_test\.go$/i;
const readme = /^readme(?:\.\w+)?$/i;

/** At most four tasks that fit the folder, what is broken first. */
export function starterTasks({ names, errors, todoIn, open }: FolderFacts): StarterKind[] {
  if (names.length === 0) return [{ kind: 'create' }];
  const tasks: StarterKind[] = [];
  if (errors > 0) tasks.push({ kind: 'errors' });
  if (names.some((name) => testFile.test(name))) tasks.push({ kind: 'tests' });
  if (todoIn !== undefined) tasks.push({ kind: 'todos' });
  if (open !== undefined) tasks.push({ kind: 'open', file: open });
  const about = names.find((name) => readme.test(name));
  tasks.push(about === undefined ? { kind: 'overview' } : { kind: 'readme', file: about });
  return tasks.slice(0, mostTasks);
}
