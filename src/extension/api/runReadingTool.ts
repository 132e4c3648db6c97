import { slowWorkCutOff } from '../../adapters/processes/cutOff';
import * as vscode from 'vscode';
import { diskFiles } from '../../adapters/files/diskFiles';
import { existsOnlyForSandbox } from '../../adapters/sandbox/madePlaces';
import { workspaceScripts } from '../../adapters/scripts/workspaceScripts';
import { learnDotenv } from '../../adapters/secrets/dotenvSecrets';
import { ripgrepSearch } from '../../adapters/search/ripgrep';
import { createWorkspacePaths } from '../../adapters/files/workspacePaths';
import { analyzers, assessWith } from '../../core/security/analyzers';
import { maskedFiles } from '../../core/secrets/maskedFiles';
import { matchingRules, secretReads } from '../../core/risk/pathRules';
import { secrets } from '../../core/secrets/secrets';
import type { Environment } from '../../core/ports/environment';
import type { Search } from '../../core/ports/search';
import { knownTool } from '../../core/tools/toolsets';
import { editorFiles } from '../editor/editorFiles';

/**
 * Runs one of Waymark's read-only tools for another agent in this window and returns its output. Nobody is asked for
 * approval: a call that would need it is refused. Throws an `Error` with a message for the calling model.
 */
export async function runReadingTool(name: string, input: object, token: vscode.CancellationToken): Promise<string> {
  const folders = (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ uri }) => uri.fsPath);
  if (!vscode.workspace.isTrusted)
    throw new Error(
      'This folder is not trusted, so Waymark shows none of its content. The user can trust it with "Workspaces: Manage Workspace Trust".',
    );
  if (folders.length === 0) throw new Error('No folder is open, so there is nothing to read.');
  const tool = knownTool(name);
  if (tool?.effect !== 'reads') throw new Error(`Waymark has no tool named ${name}.`);
  const environment = lookingEnvironment(folders);
  const bound = tool.bind(input);
  const risk = await assessWith(analyzers, { tool, call: bound, environment, history: [] });
  if (risk.level !== 'low')
    throw new Error(
      `Waymark did not run this for another agent: ${risk.reasons.join(' ') || 'it could not be judged.'} Ask the user for what is needed.`,
    );
  const abort = new AbortController();
  const stopping = token.onCancellationRequested(() => abort.abort());
  try {
    const { content } = await bound.run({
      environment,
      signal: abort.signal,
      progress: () => undefined,
      versionSeen: () => undefined,
    });
    return secrets.mask(content);
  } finally {
    stopping.dispose();
  }
}

/** Returns the summary of a call as on a card, or the name of the tool if the input is invalid. */
export function summarizeCall(name: string, input: object): string {
  try {
    return knownTool(name)?.bind(input).summary ?? name;
  } catch {
    return name;
  }
}

function lookingEnvironment(folders: readonly string[]): Environment {
  learnDotenv(folders);
  const paths = createWorkspacePaths(folders);
  const nothingRuns = (): Promise<never> => Promise.reject(new Error('Nothing runs here.'));
  return {
    root: paths.root,
    ...(paths.folders.length > 1 && { otherFolders: paths.folders.slice(1) }),
    files: maskedFiles(editorFiles(paths, diskFiles({ folders, isUnlisted: existsOnlyForSandbox }))),
    scripts: workspaceScripts(paths.folders),
    cutOff: slowWorkCutOff(),
    search: withoutSecrets(ripgrepSearch({ folders, readableFolders: [], editorRoot: vscode.env.appRoot })),
    terminal: { run: nothingRuns, answer: nothingRuns, dispose: () => Promise.resolve() },
  };
}

/** Leaves out matches in files that usually hold secrets. */
const withoutSecrets = (search: Search): Search => ({
  async search(query, signal) {
    const { matches, counts, ...rest } = await search.search(query, signal);
    const isShown = ({ path }: { readonly path: string }): boolean => matchingRules(path, secretReads).length === 0;
    return { ...rest, matches: matches.filter(isShown), ...(counts && { counts: counts.filter(isShown) }) };
  },
});
