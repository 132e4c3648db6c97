import * as vscode from 'vscode';
import type { AddedTool } from '../../protocol/events/event';
import type { FileProblems } from '../common/publishProblems';
import { askText } from '../common/quickInput';
import type { McpHost } from '../../adapters/mcp/host';
import type { McpServers } from '../../adapters/mcp/mcpServers';
import type { ServerInput, ServerProblem } from '../../core/mcp/server';
import type { Tool } from '../../core/ports/tool';
import type { ToolSource } from '../../core/tools/toolSources';
import fs from 'node:fs/promises';
import path from 'node:path';
import { serverLocations } from '../../core/mcp/locations';

const watched = '**/{.agent/mcp.json,.mcp.json,.vscode/mcp.json}';

/** The MCP servers of this window. Loads nothing if none is configured, and starts none without the user's approval. */
export class WorkspaceMcp implements ToolSource, vscode.Disposable {
  private readonly changes = new vscode.EventEmitter<void>();
  /** The servers or their state may have changed. */
  readonly onDidChange = this.changes.event;
  private servers: McpServers | undefined;
  private loading: Promise<McpServers> | undefined;
  private named: Promise<boolean> | undefined;
  private readonly values = new Map<string, string>();
  private deferred: ReadonlySet<string> = new Set();
  private readonly registrations: vscode.Disposable[] = [];

  /** `storage`: folder for the user's approvals. */
  constructor(
    private readonly storage: vscode.Uri,
    private readonly secrets: vscode.SecretStorage,
  ) {
    const watcher = vscode.workspace.createFileSystemWatcher(watched);
    this.registrations.push(
      this.changes,
      watcher,
      ...[watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete].map((event) =>
        event(() => this.filesChanged()),
      ),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('waymark.mcp')) this.filesChanged();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.filesChanged()),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.filesChanged()),
    );
  }

  /** The servers, if already loaded. */
  get loadedServers(): McpServers | undefined {
    return this.servers;
  }
  tools(): readonly Tool[] {
    return this.servers?.tools() ?? [];
  }
  unusable(): readonly string[] {
    return this.servers?.unusable() ?? [];
  }

  /** Whether the session in the current place gets this tool, named as the model calls it, only when it finds it. */
  isDeferred(tool: string): boolean {
    return this.deferred.has(tool);
  }
  /** Shows which tools the session in the current place gets only when the model finds them. */
  showDeferred(tools: readonly AddedTool[] = []): void {
    const names = tools.flatMap(({ name, deferred }) => (deferred ? [name] : []));
    if (names.length === this.deferred.size && names.every((name) => this.deferred.has(name))) return;
    this.deferred = new Set(names);
    this.changes.fire();
  }

  /** Returns the servers as currently configured, or undefined if there are none or the workspace is not trusted. */
  async all(): Promise<McpServers | undefined> {
    const folders = foldersOf();
    if (!folders || !(await (this.named ??= namesServers(folders, settingOf())))) {
      if (this.servers) await this.servers.refresh();
      return undefined;
    }
    this.loading ??= import('../../adapters/mcp/mcpServers').then(
      ({ McpServers }) => (this.servers = new McpServers(this.host, () => this.changes.fire())),
    );
    const servers = await this.loading;
    await servers.refresh();
    return servers;
  }

  async prepare(signal: AbortSignal): Promise<void> {
    await (await this.all())?.prepare(signal);
  }
  async stop(): Promise<number> {
    return this.servers?.stop() ?? 0;
  }

  dispose(): void {
    void this.stop();
    for (const registration of this.registrations) registration.dispose();
  }

  private filesChanged(): void {
    this.named = undefined;
    this.servers?.filesChanged();
    this.changes.fire();
  }

  private get host(): McpHost {
    const { secrets } = this;
    return {
      folders: foldersOf,
      setting: settingOf,
      stateFolder: this.storage.fsPath,
      ask: (input, server) => this.ask(input, server),
      elicit: async (question, server, signal) => (await import('./elicit')).elicit(question, server, signal),
      async signIn(address, server, signal) {
        const open = vscode.l10n.t('Open Browser');
        const picked = await vscode.window.showInformationMessage(
          vscode.l10n.t('The MCP server {0} wants you to sign in at {1}.', server, address.host),
          { modal: true, detail: address.origin + address.pathname },
          open,
        );
        return picked === open && !signal.aborted && vscode.env.openExternal(vscode.Uri.parse(address.href, true));
      },
      keys: {
        get: async (name) => secrets.get(`waymark.${name}`),
        set: async (name, value) =>
          value === undefined ? secrets.delete(`waymark.${name}`) : secrets.store(`waymark.${name}`, value),
      },
    };
  }

  /** Asks for an input value, once per window. Rejects with a message for people if the user closes the question. */
  private async ask({ id, description, secret, options, fallback }: ServerInput, server: string): Promise<string> {
    const key = `${server}\0${id}`;
    const known = this.values.get(key);
    if (known !== undefined) return known;
    const title = vscode.l10n.t('MCP server {0}', server);
    const value = options
      ? await vscode.window.showQuickPick([...options], { title, placeHolder: description, ignoreFocusOut: true })
      : await askText({
          title,
          prompt: description || id,
          password: secret,
          ...(fallback !== undefined && { value: fallback }),
        });
    if (value === undefined)
      throw new Error(vscode.l10n.t('You closed the question for “{0}”, so the server was not started.', id));
    this.values.set(key, value);
    return value;
  }
}

function foldersOf(): string[] | undefined {
  return vscode.workspace.isTrusted
    ? (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath)
    : undefined;
}

const settingOf = (): unknown => vscode.workspace.getConfiguration('waymark').get('mcp.servers');

/**
 * Returns the problems in MCP configuration files. They are known once the servers were read for their list or for a
 * task.
 */
export function mcpProblems({ loadedServers }: WorkspaceMcp): FileProblems {
  const byFile = new Map<string, ServerProblem[]>();
  for (const problem of loadedServers?.problems ?? []) {
    const uri = configurationFile(problem.file)?.toString();
    if (uri !== undefined) byFile.set(uri, [...(byFile.get(uri) ?? []), problem]);
  }
  return [...byFile].map(([uri, problems]) => [vscode.Uri.parse(uri), problems]);
}

/**
 * Returns the file that a problem names, as `shownInFolders` writes it. Undefined for settings.
 */
function configurationFile(name: string): vscode.Uri | undefined {
  const [first, ...others] = vscode.workspace.workspaceFolders ?? [];
  if (!first || name === 'settings') return undefined;
  if (path.isAbsolute(name)) return vscode.Uri.file(name);
  const other = others.find(({ uri }) => name.startsWith(`${uri.path.split('/').at(-1)}/`));
  return other
    ? vscode.Uri.joinPath(other.uri, name.slice(name.indexOf('/') + 1))
    : vscode.Uri.joinPath(first.uri, name);
}

/** Returns whether any file or setting configures servers, without reading the files. */
async function namesServers(folders: readonly string[], setting: unknown): Promise<boolean> {
  if (typeof setting === 'object' && setting !== null && Object.keys(setting).length > 0) return true;
  const files = folders.flatMap((folder) => serverLocations.map(({ path: below }) => path.join(folder, below)));
  return (
    await Promise.all(
      files.map((file) =>
        fs.access(file).then(
          () => true,
          () => false,
        ),
      ),
    )
  ).includes(true);
}
