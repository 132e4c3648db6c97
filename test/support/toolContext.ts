import type { Environment } from '../../src/core/ports/environment';
import { FileProblem, type Files } from '../../src/core/ports/files';
import type { ToolContext } from '../../src/core/ports/tool';

/** An environment for tools that do not use it: it has no files and cannot search or run anything. */
export const untouched = {
  root: '/',
  files: { read: (path) => Promise.reject(new FileProblem('missing', `There is no ${path}.`)) } as Partial<Files>,
  search: {},
  terminal: {},
} as Environment;

/** Returns the context of a tool that runs by itself. Parts that are not given do nothing. */
export const toolContext = (given: Partial<ToolContext> = {}): ToolContext => ({
  environment: untouched,
  signal: new AbortController().signal,
  progress: () => undefined,
  versionSeen: () => undefined,
  ...given,
});
