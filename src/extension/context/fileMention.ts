import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { diskFiles } from '../../adapters/files/diskFiles';
import { existsOnlyForSandbox } from '../../adapters/sandbox/madePlaces';
import { createWorkspacePaths } from '../../adapters/files/workspacePaths';
import type { Found } from '../../core/context/contextPart';
import { mentionOfPath, placesIn, type Mention, type PlaceInFile } from '../../core/context/mentions';
import { bestMatchesInSlices } from '../../core/context/bestMatches';
import { matchingRules, secretReads } from '../../core/risk/pathRules';
import { maskedFiles } from '../../core/secrets/maskedFiles';
import { trustOf } from '../../core/security/taint/trust';
import { FileProblem, type Files } from '../../core/ports/files';
import { splitLines, numberedLines } from '../../core/text/numberedLines';
import type { Completion } from '../../protocol/panel/panel';
import { editorFiles } from '../editor/editorFiles';
import { realPathOfExistingPart } from '../editor/editorUri';
import type { ContextSources } from './contextSources';
import type { MentionKind } from './mentionKind';
import { openFiles } from './activeEditor';

const maxOffered = 20;

/** `@src/a.ts`, `@src/a.ts:10-20`, `@"my file.ts"`. An absolute path can also name a file outside the workspace. */
export const fileMention: MentionKind = {
  offer: () => ({
    label: '@file',
    detail: vscode.l10n.t('A file, or lines of it: @src/a.ts:10-20'),
    insert: '@file:',
    icon: 'file',
    goesOn: true,
  }),
  async complete(query, sources, signal) {
    const options = {
      nameOf: (name: string) => name,
      most: maxOffered,
      first: openNames(sources),
      accepts: (name: string) => matchingRules(name, secretReads).length === 0,
    };
    return (await bestMatchesInSlices(await sources.names(), query, options, signal)).map(offerOf('file'));
  },
  async resolve(mention, sources) {
    const { path: named, from, to } = await resolvePlace(mention.argument, sources);
    refuseSecret(named);
    try {
      const { path: shown, text } = await filesFor(named, sources).read(named);
      const lines = splitLines(text);
      if (from !== undefined && from > lines.length)
        throw new Error(vscode.l10n.t('{0} has only {1} lines, no line {2}.', shown, lines.length, from));
      const last = Math.min(to ?? lines.length, lines.length);
      const label =
        from === undefined
          ? `${mention.written}: ${shown}, ${lines.length} lines`
          : `${mention.written}: lines ${from}-${last} of ${lines.length} of ${shown}`;
      return {
        label,
        text: numberedLines(lines.slice((from ?? 1) - 1, last), from ?? 1),
        source: shown,
        trust: trustFor(shown),
      };
    } catch (thrown) {
      if (!(thrown instanceof FileProblem)) throw thrown;
      if (thrown.code === 'folder') return folderListing(named, mention, sources);
      if (mayBeWords(mention, thrown) && !(await looksLikeOthers(named, sources))) return undefined;
      throw attachProblem(named, thrown);
    }
  },
};

/** `@src/core/`: the names of the files in a folder. */
export const folderMention: MentionKind = {
  offer: () => ({
    label: '@folder',
    detail: vscode.l10n.t('File names in a folder'),
    insert: '@folder:',
    icon: 'folder',
    goesOn: true,
  }),
  async complete(query, sources, signal) {
    const options = { nameOf: (name: string) => name, most: maxOffered };
    return (await bestMatchesInSlices(await sources.folderNames(), query, options, signal)).map(offerOf('folder'));
  },
  async resolve(mention, sources) {
    try {
      return await folderListing(mention.argument, mention, sources);
    } catch (thrown) {
      if (!(thrown instanceof FileProblem)) throw thrown;
      if (mayBeWords(mention, thrown)) return undefined;
      throw thrown.code === 'missing'
        ? new Error(
            vscode.l10n.t('Folder “{0}” not found. Correct the name, or write it without the @.', mention.argument),
          )
        : attachProblem(mention.argument, thrown);
    }
  },
};

/**
 * Splits a mention into path and lines. If a file has exactly this name, it wins; else the part after a colon is a line
 * range.
 */
async function resolvePlace(argument: string, sources: ContextSources): Promise<PlaceInFile> {
  const places = placesIn(argument);
  for (const place of places.slice(0, -1)) {
    const isThere = await filesFor(place.path, sources)
      .read(place.path)
      .then(
        () => true,
        (thrown: unknown) => thrown instanceof FileProblem && ['folder', 'binary', 'too_large'].includes(thrown.code),
      );
    if (isThere) return place;
  }
  return places.at(-1)!;
}

/**
 * Throws if a file usually contains secrets. Tools ask before they read such a file; a message cannot ask, so it must not
 * contain one.
 */
export function refuseSecret(named: string): void {
  if (matchingRules(named, secretReads).length > 0)
    throw new Error(
      vscode.l10n.t('{0} usually contains secrets and cannot be attached. The agent can ask to read it.', named),
    );
}

/** Returns the trust level of a file. Files outside the workspace are untrusted. */
export const trustFor = (shown: string): Found['trust'] =>
  path.isAbsolute(shown) || shown.startsWith('..') ? 'others' : trustOf(shown);

async function folderListing(named: string, mention: Mention, sources: ContextSources): Promise<Found> {
  const { entries, truncated } = await sources.files.list(named, { depth: 3, limit: 300 });
  const text =
    entries.map(({ path: shown, kind }) => (kind === 'folder' ? `${shown}/` : shown)).join('\n') || '(empty)';
  return {
    label: `${mention.written}: ${entries.length}${truncated ? '+' : ''} entries`,
    text,
    source: named,
    trust: 'project',
  };
}

/**
 * True for text that only looks like a file name, such as a package, a decorator or a person. A path with an extension
 * always means a file.
 */
const mayBeWords = ({ certain, argument }: Mention, { code }: FileProblem): boolean =>
  !certain && (code === 'missing' || code === 'outside') && !/\/[^/]+\.\w+(:\d|$)/.test(argument);

/**
 * True for a bare name with the same extension as some file of the workspace. It is probably meant as a file that is
 * misspelt or was deleted.
 */
async function looksLikeOthers(named: string, { names }: ContextSources): Promise<boolean> {
  const [, ending] = /^[^/\\]+(\.[a-z]\w*)$/i.exec(named) ?? [];
  return ending !== undefined && (await names()).some((name) => name.endsWith(ending));
}

/**
 * Returns why a file cannot be attached, in words for the user. The messages of `FileProblem` are meant for the model.
 */
function attachProblem(named: string, problem: FileProblem): Error {
  switch (problem.code) {
    case 'missing':
      return new Error(vscode.l10n.t('File “{0}” not found. Correct the name, or write it without the @.', named));
    case 'left_out':
      return new Error(
        vscode.l10n.t(
          '{0} is excluded by .agentignore and cannot be attached. Change .agentignore, or write the name without the @.',
          named,
        ),
      );
    case 'binary':
      return new Error(
        /\.(png|jpe?g|gif|webp)$/i.test(named)
          ? vscode.l10n.t('{0} is an image. Paste it into the message, or drop it there.', named)
          : vscode.l10n.t(
              '{0} is not text and cannot be attached. Write the name without the @: the agent can inspect it with a command.',
              named,
            ),
      );
    case 'too_large':
      return new Error(
        vscode.l10n.t(
          '{0} is larger than 10 MB and cannot be attached. Write the name without the @: the agent can search it.',
          named,
        ),
      );
    case 'outside':
      return new Error(
        vscode.l10n.t(
          '{0} is outside the workspace, or a link that leads outside. Mention it by its absolute path, or write the name without the @.',
          named,
        ),
      );
    default:
      return problem;
  }
}

/**
 * Returns file access for a mention. With an absolute path the user can mention a file outside the workspace; the agent
 * gets no further access there.
 */
function filesFor(named: string, { files, paths }: ContextSources): Files {
  const plain = named.startsWith('~/') ? path.join(os.homedir(), named.slice(2)) : named;
  if (!path.isAbsolute(plain)) return files;
  try {
    paths.resolve(named, 'read');
    return files;
  } catch {
    const readable = [path.dirname(plain)];
    return maskedFiles(
      editorFiles(
        createWorkspacePaths(paths.folders, readable),
        diskFiles({ folders: paths.folders, readableFolders: readable, isUnlisted: existsOnlyForSandbox }),
      ),
    );
  }
}

const offerOf =
  (icon: 'file' | 'folder') =>
  (name: string): Completion => {
    const at = name.replace(/\/$/, '').lastIndexOf('/');
    return { label: name.slice(at + 1), detail: at < 0 ? '' : name.slice(0, at), insert: mentionOfPath(name), icon };
  };

const openNames = ({ paths }: ContextSources): Set<string> =>
  new Set(openFiles().map((uri) => paths.display(realPathOfExistingPart(uri.fsPath))));
