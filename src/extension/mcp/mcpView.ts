import * as vscode from 'vscode';
import type { LiveServer, ServerState } from '../../adapters/mcp/liveServer';
import type { ServerProblem } from '../../core/mcp/server';
import { launchLine } from '../../core/mcp/server';
import { shownToPeople } from '../../core/text/shownName';
import { joinWithDots, ListView } from '../common/listView';
import { whileSlow } from '../common/whileSlow';
import type { WorkspaceMcp } from './workspaceMcp';

/** A row: a server, something that it offers, or a problem in a file. */
export type McpRow =
  | { readonly server: LiveServer }
  | {
      readonly of: LiveServer;
      readonly label: string;
      readonly detail: string;
      readonly icon: string;
      readonly waits?: boolean;
      /** True if only the name of the tool is in each request. */
      readonly deferred?: true;
    }
  | { readonly problem: ServerProblem };

const icons: Readonly<Record<ServerState, readonly [icon: string, color?: string]>> = {
  off: ['circle-slash', 'disabledForeground'],
  asks: ['question', 'list.warningForeground'],
  stopped: ['debug-stop'],
  starting: ['sync~spin'],
  running: ['pass', 'testing.iconPassed'],
  failed: ['error', 'list.errorForeground'],
};

/** Returns the state of a server in words. */
export function stateWords({
  state,
  reason,
  awaitsSignIn,
}: Pick<LiveServer, 'state' | 'reason' | 'awaitsSignIn'>): string {
  if (awaitsSignIn) return vscode.l10n.t('waiting for your sign-in');
  switch (state) {
    case 'off':
      return vscode.l10n.t('off');
    case 'asks':
      return vscode.l10n.t('asks before starting');
    case 'stopped':
      return vscode.l10n.t('starts with the next task');
    case 'starting':
      return vscode.l10n.t('starting');
    case 'running':
      return vscode.l10n.t('running');
    case 'failed':
      return vscode.l10n.t('failed: {0}', reason ?? '');
  }
}

/** View of the workspace's MCP servers: their state, what they offer, and problems in their configuration files. */
export function mcpView(mcp: WorkspaceMcp): vscode.Disposable {
  const list = new ListView<McpRow>(
    async (parent) => {
      if (parent) return 'server' in parent ? offers(parent.server, mcp) : [];
      const servers = await whileSlow(mcp.all(), sayLoading);
      return [
        ...(servers?.all ?? []).map((server) => ({ server })),
        ...(servers?.problems ?? []).map((problem) => ({ problem })),
      ];
    },
    (row) => {
      if ('server' in row) return serverItem(row.server);
      return 'problem' in row ? problemItem(row.problem) : offerItem(row);
    },
  );
  /** A message also hides the text of the empty view, which would say that there are none. */
  const sayLoading = (isSlow: boolean): void => {
    view.message = isSlow ? vscode.l10n.t('Loading MCP servers…') : '';
  };
  const view = vscode.window.createTreeView('waymark.mcp', { treeDataProvider: list, showCollapseAll: true });
  let timer: NodeJS.Timeout | undefined;
  // Debounced: several changes come at once.
  const changed = mcp.onDidChange(() => {
    clearTimeout(timer);
    timer = setTimeout(() => list.refresh(), 100);
  });
  return vscode.Disposable.from(list, view, changed, { dispose: () => clearTimeout(timer) });
}

function offers(server: LiveServer, mcp: Pick<WorkspaceMcp, 'isDeferred'>): McpRow[] {
  const {
    changes: { same, changed, added },
    prompts,
    resources,
    templates,
  } = server;
  const waiting = new Set([...changed, ...added]);
  return [
    ...[...same, ...changed, ...added].map((tool) => ({
      of: server,
      label: tool.name,
      detail: waiting.has(tool)
        ? vscode.l10n.t('waiting for your approval')
        : (tool.description ?? '').replace(/\s+/g, ' ').trim(),
      icon: waiting.has(tool) ? 'question' : 'tools',
      waits: waiting.has(tool),
      ...(mcp.isDeferred(server.tools.find(({ from }) => from?.tool === tool.name)?.name ?? '') && { deferred: true }),
    })),
    ...prompts.map(({ name, description }) => ({
      of: server,
      label: `/${server.named.name}:${name}`,
      detail: description,
      icon: 'comment',
    })),
    ...resources.slice(0, 100).map(({ uri, name }) => ({ of: server, label: name, detail: uri, icon: 'database' })),
    ...templates
      .slice(0, 100)
      .map(({ template, name }) => ({ of: server, label: name, detail: template, icon: 'database' })),
  ];
}

function serverItem(server: LiveServer): vscode.TreeItem {
  const { named, state, changes } = server;
  const waiting = changes.changed.length + changes.added.length;
  const item = new vscode.TreeItem(
    shownToPeople(named.name),
    state === 'running' ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None,
  );
  const words = stateWords(server);
  item.id = `server ${named.name}`;
  item.description = [words, waiting > 0 ? vscode.l10n.t('{0} tools to review', waiting) : undefined]
    .filter(Boolean)
    .join(' · ');
  const asks = server.awaitsSignIn || (waiting > 0 && state === 'running');
  const [icon, color] = asks ? (['question', 'list.warningForeground'] as const) : icons[state];
  item.iconPath = new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color));
  item.tooltip = new vscode.MarkdownString().appendText(
    [words, launchLine(named), named.own ? vscode.l10n.t('from your settings') : shownToPeople(named.file)].join(
      '\n\n',
    ),
  );
  item.contextValue = `mcp.${state}${waiting > 0 ? '.waiting' : ''}`;
  item.accessibilityInformation = { label: [shownToPeople(named.name), item.description].join(', ') };
  return item;
}

function offerItem({ of, label, detail, icon, deferred }: Extract<McpRow, { of: unknown }>): vscode.TreeItem {
  const shownAs = shownToPeople(label);
  const item = new vscode.TreeItem(shownAs);
  item.id = `${icon} ${of.named.name} ${label} ${icon === 'database' ? detail : ''}`;
  item.description = joinWithDots(deferred ? vscode.l10n.t('on demand') : '', detail);
  item.iconPath = new vscode.ThemeIcon(icon);
  item.tooltip = new vscode.MarkdownString().appendText(
    [
      shownAs,
      detail,
      deferred ? vscode.l10n.t('The agent finds this tool when it needs it. Requests contain its name only.') : '',
    ]
      .filter(Boolean)
      .join('\n\n'),
  );
  return item;
}

function problemItem({ severity, message, file, from, server }: ServerProblem): vscode.TreeItem {
  const item = new vscode.TreeItem(shownToPeople(server ?? file));
  item.description = message;
  item.iconPath = new vscode.ThemeIcon(
    severity,
    new vscode.ThemeColor(severity === 'error' ? 'list.errorForeground' : 'list.warningForeground'),
  );
  item.tooltip = new vscode.MarkdownString().appendText(
    `${message}\n\n${shownToPeople(file)}:${from.line}:${from.column}`,
  );
  return item;
}
