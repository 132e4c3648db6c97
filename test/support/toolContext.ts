import type { Environment, Files } from '../../src/core/ports/environment';
import type { ToolContext } from '../../src/core/ports/tool';

/** An environment for tools that touch nothing of it: it holds no file, and cannot search or run anything. */
export const untouched = {
  root: '/',
  files: { read: (path) => Promise.reject(new Error(`There is no ${path}.`)) } as Partial<Files>,
  search: {},
  terminal: {},
} as Environment;

/** What a tool gets that is run by itself. What is not given is quiet, and ends with the test. */
export const toolContext = (given: Partial<ToolContext> = {}): ToolContext => ({
  environment: untouched,
  signal: new AbortController().signal,
  progress: () => undefined,
  versionSeen: () => undefined,
  ...given,
});
