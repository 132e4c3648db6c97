import { FileProblem, type FileProblemCode, type FileSnapshot } from '../../ports/files';
import type { Environment } from '../../ports/environment';
import type { BoundTool, ToolContext, ToolResult } from '../../ports/tool';
import { readIfThere } from './changeFile';

/** State of one file before and after a simulated call; null if the file does not exist. */
export interface Rehearsed {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * Result of simulating a call that changes files. `refused` is the reason why it would change nothing, worded for the
 * model.
 */
type Rehearsal = { readonly written: readonly Rehearsed[]; readonly result: ToolResult } | { readonly refused: string };

const holdsNoText: ReadonlySet<FileProblemCode> = new Set(['binary', 'too_large']);

type RehearsalContext = Pick<ToolContext, 'versionSeen' | 'history'>;

/**
 * Returns what a call would write to files, or undefined if it would be refused. Throws if the call needs more than
 * files, because the result is then unknown.
 */
export async function rehearse(
  call: BoundTool,
  environment: Environment,
  context: RehearsalContext,
): Promise<readonly Rehearsed[] | undefined> {
  const rehearsal = await rehearsalOf(call, environment, context);
  return 'written' in rehearsal ? rehearsal.written : undefined;
}

/** Runs a call that changes files against read-only files. Throws if it needs more than files. */
export async function rehearsalOf(
  call: BoundTool,
  { root, files, code }: Environment,
  context: RehearsalContext,
): Promise<Rehearsal> {
  const written: Rehearsed[] = [];
  const nothing = new Proxy(
    {},
    {
      get() {
        throw new Error('Only files can be rehearsed.');
      },
    },
  );
  const onlyFiles: Environment = {
    root,
    ...(code && { code }),
    search: nothing as Environment['search'],
    terminal: nothing as Environment['terminal'],
    files: {
      read: (path) => files.read(path),
      readBytes: (path, most) => files.readBytes(path, most),
      list: (path, options) => files.list(path, options),
      async move(from, to) {
        const before = await textIfAny(from);
        written.push({ path: from, before, after: null }, { path: to, before: null, after: before });
        return to;
      },
      async remove(path) {
        written.push({ path, before: await textIfAny(path), after: null });
        return path;
      },
      async write(changes) {
        const kept: FileSnapshot[] = [];
        for (const { path, text } of changes) {
          const before = await readIfThere(path, files);
          written.push({ path: before?.path ?? path, before: before?.text ?? null, after: text });
          if (text !== null) kept.push({ path: before?.path ?? path, text, version: 'rehearsed' });
        }
        return kept;
      },
    },
  };
  /** Returns an empty string for binary or oversized files. */
  const textIfAny = async (path: string): Promise<string> => {
    try {
      return (await files.read(path)).text;
    } catch (thrown) {
      if (thrown instanceof FileProblem && holdsNoText.has(thrown.code)) return '';
      throw thrown;
    }
  };
  try {
    const result = await call.run({
      ...context,
      environment: onlyFiles,
      signal: new AbortController().signal,
      progress: () => undefined,
    });
    return written.length > 0 ? { written, result } : { refused: result.content };
  } catch (thrown) {
    if (thrown instanceof FileProblem) return { refused: thrown.message };
    throw thrown;
  }
}
