import path from 'node:path';
import * as vscode from 'vscode';
import { agentIgnoring } from '../../adapters/files/agentIgnore';
import { isWithin } from '../../adapters/storage/diskPaths';
import { GitTexts } from '../../adapters/git/gitTexts';
import { bestMatches } from '../../core/context/bestMatches';
import { withoutSecretFiles } from '../../core/context/withoutSecretFiles';
import type { Completion } from '../../protocol/panel/panel';
import { realPathOfExistingPart } from '../editor/editorUri';
import type { ContextSources } from './contextSources';
import type { MentionKind } from './mentionKind';

/** Leaves out files that usually hold secrets or that .agentignore names. */
function withoutIgnored(text: string, folder: string, { outermost }: ContextSources['paths']): string {
  const [ignored, real] = [agentIgnoring(), realPathOfExistingPart(folder)];
  const around = outermost.find((each) => isWithin(real, each)) ?? real;
  return withoutSecretFiles(text, (name) => ignored({ folder: around, absolute: path.join(real, name) }));
}

/** Uncommitted changes, or a commit, in each workspace folder that is a Git repository. */
export const gitMention: MentionKind = {
  offer: () => ({
    label: '@git',
    detail: vscode.l10n.t('Uncommitted changes, or a commit'),
    insert: '@git:',
    icon: 'git-commit',
    goesOn: true,
  }),
  async complete(query, { folders }) {
    const commits = (
      await Promise.all(
        folders.map(async (folder) => (await (await GitTexts.inFolder(folder))?.latestCommits(50)) ?? []),
      )
    )
      .flat()
      .filter(({ id }, index, all) => all.findIndex((each) => each.id === id) === index);
    const diff: Completion = {
      label: 'diff',
      detail: vscode.l10n.t('Uncommitted changes'),
      insert: '@git:diff',
      icon: 'diff',
    };
    return bestMatches(
      [
        diff,
        ...commits.map(({ id, subject }): Completion => ({
          label: id,
          detail: subject,
          insert: `@git:${id}`,
          icon: 'git-commit',
        })),
      ],
      query,
      {
        nameOf: ({ label, detail }) => (label === 'diff' ? label : `${label} ${detail}`),
        most: 20,
        first: new Set(['diff']),
      },
    );
  },
  async resolve({ argument, written }, sources) {
    const repositories = (
      await Promise.all(sources.folders.map(async (folder) => ({ folder, git: await GitTexts.inFolder(folder) })))
    ).flatMap(({ folder, git }) => (git ? [{ folder, git }] : []));
    if (repositories.length === 0)
      throw new Error(
        vscode.l10n.t('{0} is not available: the folder is not a Git repository, or Git is not installed.', written),
      );
    const uncommitted = argument === '' || argument === 'diff';
    const found = (
      await Promise.all(
        repositories.map(async ({ folder, git }) => ({
          folder,
          text: await (uncommitted ? git.uncommittedChanges() : git.commit(argument)),
        })),
      )
    ).flatMap(({ folder, text }) =>
      text === undefined ? [] : [{ folder, text: withoutIgnored(text, folder, sources.paths) }],
    );
    if (found.length === 0)
      throw new Error(
        uncommitted
          ? vscode.l10n.t('Git could not list uncommitted changes.')
          : vscode.l10n.t('Commit “{0}” not found.', argument),
      );
    const changed = found.filter(({ text }) => text !== '');
    const text =
      changed
        .map((each) =>
          repositories.length > 1 ? `In the folder ${path.basename(each.folder)}:\n${each.text}` : each.text,
        )
        .join('\n') || 'Everything is committed.';
    return uncommitted
      ? { label: `${written}: uncommitted changes`, text, source: 'git diff', trust: 'project' }
      : { label: `${written}: a commit`, text, source: `commit ${argument}`, trust: 'prose' };
  },
};
