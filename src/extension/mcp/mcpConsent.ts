import path from 'node:path';
import * as vscode from 'vscode';
import { openSettings } from '../common/openSettings';
import type { LiveServer } from '../../adapters/mcp/liveServer';
import { toolsInWords, type DescribedTool, consentFacts, type ConsentFacts } from '../../core/mcp/approval';
import { shownToPeople } from '../../core/text/shownName';
import { VirtualDocuments } from '../common/virtualDocuments';
import type { WorkspaceMcp } from './workspaceMcp';

/** Asks before a server starts, and before new or changed tools of it are used. */
export class McpConsent implements vscode.Disposable {
  private readonly documents = new VirtualDocuments('waymark-mcp');
  /** Makes the URIs of each shown list of tools unique. */
  private showings = 0;
  /** Questions that were asked in this window. They are not repeated automatically. */
  private readonly answered = new Set<string>();
  private readonly listening: vscode.Disposable;

  constructor(private readonly mcp: WorkspaceMcp) {
    this.listening = mcp.onDidChange(() => {
      void this.tellOfTools();
      void this.tellOfFailures();
    });
  }

  /**
   * Asks about each server that needs a decision and was not asked about in this window. Called before a task, which
   * starts in any case.
   */
  async settle(): Promise<void> {
    for (const server of (await this.mcp.all())?.all ?? []) {
      if (server.state !== 'asks') continue;
      const { hash } = await server.launch();
      if (!this.answered.has(hash)) await this.askToStart(server);
    }
  }

  /** Returns true if the user agreed to start the server as shown. */
  async askToStart(server: LiveServer): Promise<boolean> {
    const { hash, bound } = await server.launch();
    const facts = consentFacts(server.named, bound);
    const [start, show] = [vscode.l10n.t('Start Server'), vscode.l10n.t('Show File')];
    // The first button has the keyboard focus, so pressing Enter approves nothing.
    const picked = await vscode.window.showWarningMessage(
      vscode.l10n.t(
        'Start the MCP server {0}? It is configured in {1}. It runs outside the sandbox and is not limited to the workspace.',
        shownToPeople(facts.name),
        shownToPeople(facts.place),
      ),
      { modal: true, detail: formatConsentFacts(facts) },
      show,
      start,
    );
    this.answered.add(hash);
    if (picked === show) await showFile(server);
    return picked === start && server.agreeToStart(hash);
  }

  /** Shows a diff of the approved tools against the current ones. */
  async showTools(server: LiveServer): Promise<void> {
    const { same, changed, added } = server.changes;
    const before = [
      ...same,
      ...changed
        .map(({ name }) => server.agreedTools[name])
        .filter((tool): tool is DescribedTool => tool !== undefined),
    ];
    const [left, right] = [
      this.document(server, 'before', before),
      this.document(server, 'now', [...same, ...changed, ...added]),
    ];
    await vscode.commands.executeCommand(
      'vscode.diff',
      left,
      right,
      vscode.l10n.t('Tools of {0} (approved ↔ now)', shownToPeople(server.named.name)),
      { preview: true },
    );
  }

  async askForTools(server: LiveServer): Promise<void> {
    const waiting = [...server.changes.changed, ...server.changes.added];
    if (waiting.length === 0) return;
    const [show, use] = [vscode.l10n.t('Show Changes'), vscode.l10n.t('Use Them')];
    const names =
      waiting
        .map(({ name }) => shownToPeople(name))
        .slice(0, 10)
        .join(', ') + (waiting.length > 10 ? ' …' : '');
    const words = vscode.l10n.t(
      '{0} has new or changed tools: {1}. The agent cannot use them until you approve them.',
      shownToPeople(server.named.name),
      names,
    );
    let picked = await vscode.window.showWarningMessage(words, show, use);
    if (picked === show) {
      await this.showTools(server);
      picked = await vscode.window.showWarningMessage(words, use);
    }
    if (picked === use) await server.agreeToTools(waiting);
  }

  dispose(): void {
    this.listening.dispose();
    this.documents.dispose();
  }

  /** Asks about waiting tools, once per list of them. */
  private async tellOfTools(): Promise<void> {
    for (const server of this.mcp.loadedServers?.all ?? []) {
      const waiting = [...server.changes.changed, ...server.changes.added];
      const key = JSON.stringify([server.named.name, toolsInWords(waiting)]);
      if (waiting.length === 0 || this.answered.has(key)) continue;
      this.answered.add(key);
      await this.askForTools(server);
    }
  }

  /** Reports failed servers, once per reason. */
  private async tellOfFailures(): Promise<void> {
    for (const server of this.mcp.loadedServers?.all ?? []) {
      const key = JSON.stringify([server.named.name, server.state, server.reason]);
      if (server.state !== 'failed' || this.answered.has(key)) continue;
      this.answered.add(key);
      const log = vscode.l10n.t('Show Log');
      const picked = await vscode.window.showWarningMessage(
        vscode.l10n.t(
          'The MCP server {0} is not running. {1} It starts again when needed.',
          shownToPeople(server.named.name),
          server.reason ?? '',
        ),
        log,
      );
      if (picked === log) await vscode.commands.executeCommand('waymark.mcp.log', { server });
    }
  }

  private document(server: LiveServer, which: string, tools: readonly DescribedTool[]): vscode.Uri {
    this.showings++;
    return this.documents.keep(`/${server.named.name}/${which}.md`, String(this.showings), toolsInWords(tools));
  }
}

/** Returns the details of a start, one paragraph per fact and without truncation. */
const formatConsentFacts = ({
  launch,
  defaults,
  folder,
  variablesSet,
  variablesReceived,
  files,
  hasUnknownPrograms,
}: ConsentFacts): string =>
  [
    launch,
    defaults.join('\n'),
    folder !== undefined && vscode.l10n.t('In the folder: {0}', folder),
    variablesSet.length > 0 && vscode.l10n.t('Variables or headers set for it: {0}', variablesSet.join(', ')),
    variablesReceived.length > 0 && vscode.l10n.t('Uses your environment variables: {0}', variablesReceived.join(', ')),
    files.length > 0 && vscode.l10n.t('Workspace programs: {0}', files.join(', ')),
    hasUnknownPrograms &&
      vscode.l10n.t('Waymark cannot tell which workspace files this runs, so it does not detect changes to them.'),
  ]
    .filter(Boolean)
    .join('\n\n');

/** Shows where a server is configured: in the settings or in a file. */
export async function showFile({ named }: LiveServer): Promise<void> {
  if (named.own) return void (await openSettings('waymark.mcp.servers'));
  const folders = vscode.workspace.workspaceFolders ?? [];
  const folder = folders.find(({ uri }) => uri.fsPath === named.folder);
  if (!folder) return;
  const below = folder === folders[0] ? named.file : named.file.slice(named.file.indexOf('/') + 1);
  const file = path.isAbsolute(named.file) ? vscode.Uri.file(named.file) : vscode.Uri.joinPath(folder.uri, below);
  const at = new vscode.Position(named.from.line - 1, named.from.column - 1);
  await vscode.window.showTextDocument(file, { selection: new vscode.Range(at, at) });
}
