import * as vscode from 'vscode';
import { commandName } from '../../core/skills/commandName';
import type { ListedSkill, Skill, SkillKind } from '../../core/ports/skill';
import { shownToPeople } from '../../core/text/shownName';
import { ListView } from '../common/listView';
import { whileSlow } from '../common/whileSlow';
import type { WorkspaceSkills } from './workspaceSkills';

/** A row: a kind of skills, or one skill. */
export type SkillRow = { readonly kind: SkillKind; readonly members: readonly ListedSkill[] } | ListedSkill;

const kinds: readonly SkillKind[] = ['always', 'skill', 'keyword', 'paths', 'command', 'persona'];

const titles = (): Readonly<Record<SkillKind, string>> => ({
  always: vscode.l10n.t('Always Active'),
  skill: vscode.l10n.t('Loaded When Needed'),
  keyword: vscode.l10n.t('On a Keyword'),
  paths: vscode.l10n.t('On Matching Files'),
  command: vscode.l10n.t('Commands'),
  persona: vscode.l10n.t('Personas'),
});

/** Returns when the skill is given to the model, in words for the user. */
function whenActive(skill: Skill): string {
  const { kind, triggers, paths, base, modelMayUse } = skill;
  const within = paths.map((glob) => [base, glob].filter(Boolean).join('/'));
  switch (kind) {
    case 'always':
      return vscode.l10n.t('in every session');
    case 'skill':
      return modelMayUse
        ? vscode.l10n.t('when the model asks for it')
        : vscode.l10n.t('when you type /{0}', commandName(skill));
    case 'keyword':
      return vscode.l10n.t('on {0}', triggers.join(', '));
    case 'paths':
      return vscode.l10n.t('when {0} is touched', within.join(', '));
    case 'command':
      return vscode.l10n.t('when you type /{0}', commandName(skill));
    case 'persona':
      return vscode.l10n.t('when selected for a run or by delegate');
  }
}

/** View of the skills of the repository and the user, grouped by when they are used. */
export function skillsView(skills: WorkspaceSkills, model: () => string): vscode.Disposable {
  const list = new ListView<SkillRow>(
    async (parent) => {
      if (parent) return 'members' in parent ? [...parent.members] : [];
      const work = skills.files?.listAll(model());
      const all = work ? await whileSlow(work, sayLoading) : [];
      return kinds
        .map((kind) => ({ kind, members: all.filter(({ skill }) => skill.kind === kind) }))
        .filter(({ members }) => members.length > 0);
    },
    (row) => ('members' in row ? groupItem(row) : skillItem(row, skills)),
  );
  /** A message also hides the text of the empty view, which would say that there are none. */
  const sayLoading = (isSlow: boolean): void => {
    view.message = isSlow ? vscode.l10n.t('Loading skills…') : '';
  };
  const view = vscode.window.createTreeView('waymark.skills', { treeDataProvider: list, showCollapseAll: true });
  return vscode.Disposable.from(
    list,
    view,
    skills.onDidChange(() => list.refresh()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => list.refresh()),
  );
}

function groupItem({ kind, members }: Extract<SkillRow, { members: unknown }>): vscode.TreeItem {
  const item = new vscode.TreeItem(titles()[kind], vscode.TreeItemCollapsibleState.Expanded);
  item.id = kind;
  item.description = String(members.length);
  item.contextValue = 'skillKind';
  return item;
}

/** Icon and color for the most important fact about a skill. */
function iconOf(skill: {
  readonly changed: boolean;
  readonly broken: boolean;
  readonly hasProblems: boolean;
  readonly isUsed: boolean;
}): [icon: string, color?: string] {
  if (skill.changed) return ['diff-modified', 'gitDecoration.modifiedResourceForeground'];
  if (skill.broken) return ['error', 'list.errorForeground'];
  if (skill.hasProblems) return ['warning', 'list.warningForeground'];
  return skill.isUsed ? ['check'] : ['circle-slash', 'disabledForeground'];
}

function skillItem({ skill, unused }: ListedSkill, skills: WorkspaceSkills): vscode.TreeItem {
  const { name, path, tokens, description, problems } = skill;
  const changed = skills.hasChanged(skill);
  const broken = problems.some(({ severity }) => severity === 'error');
  const [shownAs, where] = [shownToPeople(name), shownToPeople(path)];
  const item = new vscode.TreeItem(shownAs);
  item.id = `${skill.kind} ${path}`;
  // The most important facts come first, because a narrow side bar cuts off the rest. The tooltip shows everything.
  const size = tokens === 1 ? vscode.l10n.t('1 token') : vscode.l10n.t('{0} tokens', tokens.toLocaleString());
  const why = skill.kind === 'keyword' || skill.kind === 'paths' ? whenActive(skill) : undefined;
  const notUsed = unused === undefined ? undefined : vscode.l10n.t('not used');
  item.description = [changed ? vscode.l10n.t('changed') : notUsed, size, why, path === name ? undefined : where]
    .filter(Boolean)
    .join(' · ');
  const [icon, color] = iconOf({ changed, broken, hasProblems: problems.length > 0, isUsed: unused === undefined });
  item.iconPath = new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color));
  const words = [
    description,
    unused === undefined ? vscode.l10n.t('Used {0}.', whenActive(skill)) : vscode.l10n.t('Not used: {0}', unused),
    ...problems.map(({ message, from }) => vscode.l10n.t('Line {0}: {1}', from.line, message)),
    where,
  ];
  item.tooltip = new vscode.MarkdownString().appendText(words.filter(Boolean).join('\n\n'));
  item.contextValue = changed ? 'skillChanged' : 'skill';
  const file = skills.files?.fileOf(skill);
  if (file !== undefined)
    item.command = { command: 'vscode.open', title: vscode.l10n.t('Open'), arguments: [vscode.Uri.file(file)] };
  item.accessibilityInformation = { label: [shownAs, words.filter(Boolean).join(' ')].join(', ') };
  return item;
}
