import { FileProblem, type Environment, type FileSnapshot } from './environment';
import type { BoundTool, ToolContext } from './tool';

/** What a call would make of one file; null is no file. */
export interface Rehearsed { readonly path: string; readonly before: string | null; readonly after: string | null }

/**
 * What a call that changes files would write, found by running it on files that only read. Undefined where it would be refused.
 * Throws where it needs more than files: then nobody can tell.
 */
export async function rehearse(call: BoundTool, { root, files }: Environment, context: Pick<ToolContext, 'versionSeen' | 'history'>): Promise<readonly Rehearsed[] | undefined> {
  const written: Rehearsed[] = [];
  const nothing = new Proxy({}, { get() { throw new Error('Only files can be rehearsed.'); } });
  const onlyFiles: Environment = {
    root, search: nothing as Environment['search'], terminal: nothing as Environment['terminal'],
    files: {
      read: path => files.read(path),
      readBytes: (path, most) => files.readBytes(path, most),
      list: (path, options) => files.list(path, options),
      async write(changes) {
        const kept: FileSnapshot[] = [];
        for (const { path, text } of changes) {
          const before = await files.read(path).catch((thrown: unknown) => { if (thrown instanceof FileProblem && thrown.code === 'missing') return undefined; throw thrown; });
          written.push({ path: before?.path ?? path, before: before?.text ?? null, after: text });
          if (text !== null) kept.push({ path: before?.path ?? path, text, version: 'rehearsed' });
        }
        return kept;
      },
    },
  };
  try {
    await call.run({ ...context, environment: onlyFiles, signal: new AbortController().signal, progress: () => undefined });
  } catch (thrown) {
    if (thrown instanceof FileProblem) return undefined;
    throw thrown;
  }
  return written.length > 0 ? written : undefined;
}
