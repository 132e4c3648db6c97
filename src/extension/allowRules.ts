import * as vscode from 'vscode';
import type { Tool } from '../core/tools/tool';
import type { Action, AllowRule } from '../protocol/event';

const KEY = 'waymark.allowRules';

/** Standing permissions of this workspace: exact keys, given by a person from an approval card, kept outside the repository. */
export const workspaceRules = (state: vscode.Memento): AllowRule[] => state.get<AllowRule[]>(KEY, []);

/** The rule that would let exactly this action run again; undefined where the tool cannot be allowed for ever. */
export function ruleFor(action: Action, tools: readonly Tool[]): AllowRule | undefined {
  const key = tools.find(({ name }) => name === action.tool)?.bind(action.input).allowKey;
  return key === undefined ? undefined : { tool: action.tool, key };
}

/** Asks how far the permission reaches. Undefined when the person backed out. */
export async function askForScope(rule: AllowRule, state: vscode.Memento): Promise<'session' | 'workspace' | undefined> {
  const picked = await vscode.window.showQuickPick([
    { label: vscode.l10n.t('In this session'), detail: `${rule.tool}: ${rule.key}`, scope: 'session' as const },
    { label: vscode.l10n.t('In this workspace'), detail: `${rule.tool}: ${rule.key}`, scope: 'workspace' as const },
  ], { title: vscode.l10n.t('Always allow exactly this') });
  if (picked?.scope === 'workspace') await state.update(KEY, [...workspaceRules(state).filter(({ tool, key }) => tool !== rule.tool || key !== rule.key), rule]);
  return picked?.scope;
}

/** Lists the standing permissions of the workspace; those that are picked are taken back. */
export async function manageRules(state: vscode.Memento): Promise<void> {
  const rules = workspaceRules(state);
  if (rules.length === 0) return void vscode.window.showInformationMessage(vscode.l10n.t('Nothing is always allowed in this workspace.'));
  const picked = await vscode.window.showQuickPick(rules.map(rule => ({ label: rule.key, description: rule.tool, rule })), { title: vscode.l10n.t('Pick the permissions to take back'), canPickMany: true });
  if (picked?.length) await state.update(KEY, rules.filter(rule => !picked.some(item => item.rule === rule)));
}
