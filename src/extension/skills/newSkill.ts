import * as vscode from 'vscode';
import { askText, pickOne } from '../common/quickInput';
import { slug } from '../../core/skills/agentSkillRules';
import { skillTemplates, type SkillTemplate } from '../../core/skills/skillTemplates';

interface Kind extends vscode.QuickPickItem {
  readonly template: SkillTemplate;
}

const templateLabels = (): Readonly<Record<SkillTemplate['id'], Pick<Kind, 'label' | 'detail'>>> => ({
  skill: {
    label: vscode.l10n.t('Skill'),
    detail: vscode.l10n.t('Instructions the model loads when a task needs them.'),
  },
  paths: {
    label: vscode.l10n.t('Rule for Matching Files'),
    detail: vscode.l10n.t('Loaded when the model touches a matching file.'),
  },
  keyword: {
    label: vscode.l10n.t('Rule for a Keyword'),
    detail: vscode.l10n.t('Loaded when a message contains the word.'),
  },
  command: {
    label: vscode.l10n.t('Command'),
    detail: vscode.l10n.t('A task you start with /name. Waymark asks for its values.'),
  },
  persona: {
    label: vscode.l10n.t('Persona'),
    detail: vscode.l10n.t('A persona: fewer tools, smaller limits, another model.'),
  },
  instructions: {
    label: 'AGENTS.md',
    detail: vscode.l10n.t('Project knowledge for every session.'),
  },
});

/** Arguments of the command; missing values are asked for. */
export interface NewSkill {
  readonly kind?: unknown;
  readonly name?: unknown;
}

/** Asks what to teach, creates the file and opens it at the place to write. An existing file is opened unchanged. */
export async function newSkill(request: NewSkill = {}): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (!folder) throw new Error(vscode.l10n.t('No folder is open. Open the project folder first.'));
  const template =
    skillTemplates.find(({ id }) => id === request.kind) ??
    (
      await pickOne(
        skillTemplates.map((each): Kind => ({ ...templateLabels()[each.id], template: each })),
        { title: vscode.l10n.t('New Skill'), matchOnDetail: true },
      )
    )?.template;
  if (!template) return undefined;
  const requestedName = typeof request.name === 'string' && slug(request.name) !== '' ? request.name : undefined;
  const name = template.isNamed ? (requestedName ?? (await nameFor(template))) : '';
  if (name === undefined) return undefined;
  const file = vscode.Uri.joinPath(folder, template.file(slug(name)));
  const isThere = await vscode.workspace.fs.stat(file).then(
    () => true,
    () => false,
  );
  if (!isThere) await vscode.workspace.fs.writeFile(file, Buffer.from(template.text(slug(name))));
  const document = await vscode.workspace.openTextDocument(file);
  const editor = await vscode.window.showTextDocument(document);
  editor.selection = new vscode.Selection(
    document.lineAt(document.lineCount - 1).range.end,
    document.lineAt(document.lineCount - 1).range.end,
  );
  return file;
}

function nameFor({ id }: SkillTemplate): Thenable<string | undefined> {
  return askText({
    title: templateLabels()[id].label,
    prompt: vscode.l10n.t('Lowercase letters, digits and hyphens'),
    validateInput(text) {
      const name = slug(text);
      if (name === '') return vscode.l10n.t('The name needs at least one letter or digit.');
      if (name === text) return undefined;
      return { message: vscode.l10n.t('Name: {0}', name), severity: vscode.InputBoxValidationSeverity.Info };
    },
  });
}
