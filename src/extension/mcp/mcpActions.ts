import * as vscode from 'vscode';
import { pickOne } from '../common/quickInput';
import type { LiveServer } from '../../adapters/mcp/liveServer';
import { shownToPeople } from '../../core/text/shownName';
import { showFile, type McpConsent } from './mcpConsent';
import { stateWords, type McpRow } from './mcpView';
import type { WorkspaceMcp } from './workspaceMcp';

type McpAction = 'start' | 'stop' | 'log' | 'approve' | 'revoke' | 'file';

/** Returns the server of a row; undefined for a problem in a file. */
function serverOf(row: McpRow): LiveServer | undefined {
  if ('server' in row) return row.server;
  return 'of' in row ? row.of : undefined;
}

/** Actions on MCP servers, from their list or from the command palette. */
export class McpActions {
  constructor(
    private readonly mcp: WorkspaceMcp,
    readonly consent: McpConsent,
  ) {}

  /** Runs an action on the server of the row, or on a server that the user picks. */
  async run(action: McpAction, row?: McpRow): Promise<void> {
    const server = (row && serverOf(row)) ?? (await this.pick());
    if (server) await this.act(action, server);
  }

  /** Asks for a server, then for an action. */
  async choose(): Promise<void> {
    const server = await this.pick();
    if (!server) return;
    const running = server.state === 'running' || server.state === 'starting';
    const waiting = server.changes.changed.length + server.changes.added.length > 0;
    const offered: (vscode.QuickPickItem & { action: McpAction })[] = [
      ...(waiting ? [{ action: 'approve', label: vscode.l10n.t('Review New Tools') } as const] : []),
      running ? { action: 'stop', label: vscode.l10n.t('Stop') } : { action: 'start', label: vscode.l10n.t('Start') },
      { action: 'log', label: vscode.l10n.t('Show Log') },
      { action: 'file', label: vscode.l10n.t('Open Configuration') },
      ...(server.state === 'asks' ? [] : [{ action: 'revoke', label: vscode.l10n.t('Revoke Approval') } as const]),
    ];
    const picked = await pickOne(offered, {
      title: shownToPeople(server.named.name),
      placeHolder: stateWords(server),
    });
    if (picked) await this.act(picked.action, server);
  }

  private async act(action: McpAction, server: LiveServer): Promise<void> {
    switch (action) {
      case 'start': {
        if ((await server.refreshState()) === 'asks' && !(await this.consent.askToStart(server))) return;
        return vscode.window.withProgress({ location: { viewId: 'waymark.mcp' } }, () => server.startAnew());
      }
      case 'stop':
        server.isStoppedByUser = true;
        return void (await server.stop());
      case 'approve':
        return server.state === 'asks' ? this.act('start', server) : this.consent.askForTools(server);
      case 'revoke':
        return server.revoke();
      case 'file':
        return showFile(server);
      case 'log':
        return void (await vscode.window.showTextDocument(
          await vscode.workspace.openTextDocument({
            language: 'log',
            content: [`${server.named.name}: ${stateWords(server)}`, server.log.text].join('\n\n'),
          }),
        ));
    }
  }

  private async pick(): Promise<LiveServer | undefined> {
    const servers = (await this.mcp.all())?.all ?? [];
    if (servers.length === 0) {
      const words = vscode.workspace.isTrusted
        ? vscode.l10n.t(
            'No MCP servers. Add them to .agent/mcp.json, .mcp.json or .vscode/mcp.json, or to the setting waymark.mcp.servers.',
          )
        : vscode.l10n.t('This folder is not trusted, so Waymark does not read its MCP servers.');
      return void vscode.window.showInformationMessage(words);
    }
    const rows = servers.map((server) => {
      const { name, file } = server.named;
      return { label: shownToPeople(name), description: stateWords(server), detail: shownToPeople(file), server };
    });
    return (await pickOne(rows, { title: vscode.l10n.t('MCP Servers') }))?.server;
  }
}
