import * as vscode from 'vscode';
import { slug } from '../../core/skills/agentSkillRules';

interface Kind extends vscode.QuickPickItem { file(name: string): string; text(name: string): string }

const front = (...lines: string[]): string => ['---', ...lines, '---', '', ''].join('\n');

const kinds = (): Kind[] => [
  { label: vscode.l10n.t('Skill'), detail: vscode.l10n.t('Knowledge that the model reads when a task calls for it.'), file: name => `.agent/skills/${name}/SKILL.md`, text: name => `${front(`name: ${name}`, 'description: What it does. Use when it is needed.')}# ${name}\n\n` },
  { label: vscode.l10n.t('Rule for Certain Files'), detail: vscode.l10n.t('Given to the model when it touches a matching file.'), file: name => `.agent/${name}.md`, text: () => front('paths: ["src/**"]') },
  { label: vscode.l10n.t('Rule on a Word'), detail: vscode.l10n.t('Given to the model when the word stands in a message.'), file: name => `.agent/${name}.md`, text: name => front(`triggers: [${name}]`) },
  { label: vscode.l10n.t('Command'), detail: vscode.l10n.t('A task that you call as /name, with values that are asked for.'), file: name => `.agent/${name}.md`, text: name => `${front(`name: ${name}`, 'description: What it does.', 'inputs:', '  - name: what', '    description: what it is about')}Do this with \${what}.\n` },
  { label: vscode.l10n.t('Persona'), detail: vscode.l10n.t('Who works: with fewer tools, smaller limits, another model.'), file: name => `.agent/agents/${name}.md`, text: name => `${front(`name: ${name}`, 'description: What it is for.', 'tools: [readOnly]', 'limits: { steps: 30 }')}You are …\n` },
  { label: 'AGENTS.md', detail: vscode.l10n.t('What everybody who works here should know; given to the model in every session.'), file: () => 'AGENTS.md', text: () => '# Working here\n\n' },
];

/** Asks what to teach, makes the file, and opens it where the writing begins. A file that is there is opened as it is. */
export async function newSkill(): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (!folder) throw new Error(vscode.l10n.t('No folder is open. Open the folder that the skill is for.'));
  const kind = await vscode.window.showQuickPick(kinds(), { title: vscode.l10n.t('New Skill'), matchOnDetail: true });
  if (!kind) return undefined;
  const isNamed = kind.file('a') !== kind.file('b');
  const name = isNamed ? await vscode.window.showInputBox({ title: kind.label, prompt: vscode.l10n.t('A name of lower case letters, digits and hyphens'), validateInput: text => (slug(text) === '' ? vscode.l10n.t('A name has at least one letter or digit.') : slug(text) === text ? undefined : { message: vscode.l10n.t('It will be called {0}.', slug(text)), severity: vscode.InputBoxValidationSeverity.Info }) }) : '';
  if (name === undefined) return undefined;
  const file = vscode.Uri.joinPath(folder, kind.file(slug(name)));
  const isThere = await vscode.workspace.fs.stat(file).then(() => true, () => false);
  if (!isThere) await vscode.workspace.fs.writeFile(file, Buffer.from(kind.text(slug(name))));
  const document = await vscode.workspace.openTextDocument(file);
  const editor = await vscode.window.showTextDocument(document);
  editor.selection = new vscode.Selection(document.lineAt(document.lineCount - 1).range.end, document.lineAt(document.lineCount - 1).range.end);
  return file;
}
