import * as vscode from 'vscode';
import { sameRule } from '../core/security/allowRules';
import type { AllowRule } from '../protocol/event';

const KEY = 'waymark.allowRules';

/** Standing permissions of this workspace: exact keys, given by a person from an approval card, kept outside the repository. */
export const workspaceRules = (state: vscode.Memento): AllowRule[] => state.get<AllowRule[]>(KEY, []);

/** Asks how far the permission reaches. Undefined when the person backed out. */
export async function askForScope(rule: AllowRule, state: vscode.Memento): Promise<'session' | 'workspace' | undefined> {
  const picked = await vscode.window.showQuickPick([
    { label: vscode.l10n.t('In this session'), detail: inWords(rule), scope: 'session' as const },
    { label: vscode.l10n.t('In this workspace'), detail: inWords(rule), scope: 'workspace' as const },
  ], { title: vscode.l10n.t('Always allow exactly this') });
  if (picked?.scope === 'workspace') await state.update(KEY, [...workspaceRules(state).filter(other => !sameRule(other, rule)), rule]);
  return picked?.scope;
}

/** Lists the standing permissions of the workspace; those that are picked are taken back. */
export async function manageRules(state: vscode.Memento): Promise<void> {
  const rules = workspaceRules(state);
  if (rules.length === 0) return void vscode.window.showInformationMessage(vscode.l10n.t('Nothing is always allowed in this workspace.'));
  const picked = await vscode.window.showQuickPick(rules.map(rule => ({ label: rule.key, description: rule.cwd ?? rule.tool, rule })), { title: vscode.l10n.t('Pick the permissions to take back'), canPickMany: true });
  if (picked?.length) await state.update(KEY, rules.filter(rule => !picked.some(item => item.rule === rule)));
}

const inWords = ({ tool, key, cwd }: AllowRule): string => `${tool}: ${key}${cwd === undefined ? '' : ` (${cwd})`}`;
