import path from 'node:path';
import * as vscode from 'vscode';
import { agentIgnoring } from '../../adapters/agentIgnore';
import { GitTexts } from '../../adapters/provenance/gitTexts';
import { ranked } from '../../core/context/rank';
import { withoutSecretFiles } from '../../core/context/withoutSecretFiles';
import type { Completion } from '../../protocol/panel';
import type { MentionKind } from './mentionKind';

/** What is not committed yet, or a commit. */
export const gitMention: MentionKind = {
  offer: () => ({ label: '@git', detail: vscode.l10n.t('Changes that are not committed, or a commit'), insert: '@git:', icon: 'git-commit', goesOn: true }),
  async complete(query, { folders }) {
    const commits = await (await GitTexts.of(folders[0]!))?.latest(50) ?? [];
    const diff: Completion = { label: 'diff', detail: vscode.l10n.t('Changes that are not committed'), insert: '@git:diff', icon: 'diff' };
    return ranked([diff, ...commits.map(({ id, subject }): Completion => ({ label: id, detail: subject, insert: `@git:${id}`, icon: 'git-commit' }))], query, ({ label, detail }) => (label === 'diff' ? label : `${label} ${detail}`), 20, new Set(['diff']));
  },
  async resolve({ argument, written }, { folders, paths }) {
    const ignored = agentIgnoring();
    const shown = (text: string): string => withoutSecretFiles(text, name => ignored({ folder: paths.root, absolute: path.join(paths.root, name) }));
    const git = await GitTexts.of(folders[0]!);
    if (!git) throw new Error(vscode.l10n.t('{0} cannot be given: the folder is no Git repository, or Git is not installed.', written));
    if (argument === '' || argument === 'diff') {
      const text = await git.uncommitted();
      if (text === undefined) throw new Error(vscode.l10n.t('Git could not say what is not committed.'));
      return { label: `${written}: what is not committed`, text: shown(text) || 'Everything is committed.', source: 'git diff', trust: 'project' };
    }
    const text = await git.commit(argument);
    if (text === undefined) throw new Error(vscode.l10n.t('There is no commit "{0}".', argument));
    return { label: `${written}: a commit`, text: shown(text), source: `commit ${argument}`, trust: 'prose' };
  },
};
