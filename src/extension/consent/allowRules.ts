import * as vscode from 'vscode';
import type { Conversation } from '../../core/session/conversation';
import { allowRulesOf } from '../../core/log/runSettings';
import { sameRule } from '../../core/log/eventFacts';
import type { AllowRule } from '../../protocol/events/event';
import { extensionsThatBegin, forbid } from './taskConsent';

const KEY = 'waymark.allowRules';

/**
 * Returns the allow rules of this workspace. The user adds them from an approval card; they are stored outside the
 * repository. Rules of earlier versions, which do not record how they were assessed, are ignored.
 */
export const workspaceRules = (state: vscode.Memento): AllowRule[] =>
  state.get<AllowRule[]>(KEY, []).filter(({ within }) => within !== undefined);

export const keepRule = (rule: AllowRule, state: vscode.Memento): Thenable<void> =>
  state.update(KEY, [...workspaceRules(state).filter((other) => !sameRule(other, rule)), rule]);

type Row = vscode.QuickPickItem & { readonly rule?: AllowRule; readonly extension?: string };

/**
 * Lists the allow rules of the workspace and of the open sessions, and the extensions that may start tasks. Those that
 * the user picks are revoked immediately.
 */
export async function manageRules(
  state: vscode.Memento,
  open: readonly Pick<Conversation, 'history' | 'append'>[],
): Promise<void> {
  const kept = workspaceRules(state);
  const beginners = extensionsThatBegin(state);
  const others = open
    .flatMap(({ history }) => allowRulesOf(history))
    .filter(
      (rule, index, all) =>
        !kept.some((one) => sameRule(one, rule)) && all.findIndex((one) => sameRule(one, rule)) === index,
    );
  if (kept.length + others.length + beginners.length === 0)
    return void vscode.window.showInformationMessage(vscode.l10n.t('This workspace has no allow rules.'));
  const rows = (rules: readonly AllowRule[], title: string): Row[] =>
    rules.length === 0
      ? []
      : [
          { label: title, kind: vscode.QuickPickItemKind.Separator },
          ...rules.map((rule) => ({ ...ruleInWords(rule), rule })),
        ];
  const extensions: Row[] =
    beginners.length === 0
      ? []
      : [
          { label: vscode.l10n.t('Other extensions'), kind: vscode.QuickPickItemKind.Separator },
          ...beginners.map((extension) => ({
            label: extension,
            description: vscode.l10n.t('May start tasks in this workspace'),
            extension,
          })),
        ];
  const picked = await vscode.window.showQuickPick(
    [
      ...rows(kept, vscode.l10n.t('In this workspace')),
      ...rows(others, vscode.l10n.t('In open sessions')),
      ...extensions,
    ],
    { title: vscode.l10n.t('Select the rules to remove'), canPickMany: true, matchOnDetail: true },
  );
  const forbidden = (picked ?? []).flatMap(({ extension }) => extension ?? []);
  if (forbidden.length > 0) await forbid(forbidden, state);
  const gone = (picked ?? []).flatMap(({ rule }) => rule ?? []);
  if (gone.length === 0) return;
  await state.update(
    KEY,
    kept.filter((rule) => !gone.includes(rule)),
  );
  for (const { history, append } of open)
    for (const rule of allowRulesOf(history))
      if (gone.some((one) => sameRule(one, rule))) append({ type: 'allow_rule_added', rule, revoked: true });
}

/** Returns an allow rule in words for the user. Throws if the key of a `similar` rule is not valid JSON. */
export function ruleInWords({ scope, pattern, key, tool, cwd, within }: AllowRule): {
  label: string;
  description: string;
  detail?: string;
} {
  const reasons = within?.reasons.join(' ') ?? '';
  const detail = reasons ? { detail: vscode.l10n.t('At most: {0}', reasons) } : {};
  if (pattern) return { label: key, description: vscode.l10n.t('Commands that start like this') };
  if (scope === 'kind')
    return {
      label: reasons || vscode.l10n.t('Actions that only read'),
      description: vscode.l10n.t('Any action of this kind in this project'),
      ...detail,
    };
  if (scope === 'similar')
    return {
      label: (JSON.parse(key) as (string | null)[]).map((word) => word ?? '…').join(' '),
      description: [vscode.l10n.t('With other words instead of “…”'), cwd].filter(Boolean).join(' · '),
      ...detail,
    };
  return { label: key, description: cwd ?? tool, ...detail };
}
