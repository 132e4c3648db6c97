import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { addedTool } from '../../core/tools/addedTool';
import type { Tool, ToolContext, ToolResult } from '../../core/tools/tool';
import type { ToolSource } from '../../core/tools/toolSources';
import { cut, firstLine } from './contributedTools';
import { isOwn } from './ownTools';

const KEY = 'waymark.otherTools';

/** What was chosen, as it was then: by name, the hash of what it said of itself. */
type Chosen = Readonly<Record<string, string>>;

/** Tools that other extensions offer to all chats of VS Code. Those that a person chose for this workspace are the agent's, too. */
export class OtherTools implements ToolSource {
  private readonly made = new Map<string, Tool>();

  /** `state`: of the workspace, outside its folder. */
  constructor(private readonly state: vscode.Memento) {}

  tools(): readonly Tool[] {
    const { chosen } = this;
    if (!vscode.workspace.isTrusted || Object.keys(chosen).length === 0) return [];
    const now = offered().filter(tool => chosen[tool.name] === hashOf(tool));
    const names = uniqueNames(now.map(({ name }) => name));
    return now.map((tool, index) => this.toolOf(tool, names[index]!));
  }

  /** Asks which of them the agent may use here. What is not there at the moment stays chosen. */
  async choose(): Promise<void> {
    const all = offered();
    if (all.length === 0) return void vscode.window.showInformationMessage(vscode.l10n.t('No other extension offers tools to language models. Install or switch on one that does, then choose again.'));
    const { chosen } = this;
    const items = all.map(tool => {
      const before = chosen[tool.name];
      const changed = before !== undefined && before !== hashOf(tool);
      return { label: tool.name, description: [changed ? vscode.l10n.t('changed since it was chosen') : '', tool.tags.join(', ')].filter(Boolean).join(' · '), detail: tool.description.replace(/\s+/g, ' ').trim().slice(0, 300), picked: before !== undefined && !changed, tool };
    });
    const picked = await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Tools of Other Extensions'), placeHolder: vscode.l10n.t('What the agent may use in this workspace. Each call is asked about as your mode says; answers count as untrusted text.'), canPickMany: true, matchOnDescription: true, matchOnDetail: true });
    if (!picked) return;
    const away = Object.entries(chosen).filter(([name]) => !all.some(tool => tool.name === name));
    await this.state.update(KEY, Object.fromEntries([...away, ...picked.map(({ tool }) => [tool.name, hashOf(tool)])]));
  }

  private get chosen(): Chosen { return this.state.get<Chosen>(KEY, {}); }

  private toolOf(tool: vscode.LanguageModelToolInformation, name: string): Tool {
    const key = `${name} ${hashOf(tool)}`;
    const known = this.made.get(key) ?? madeOf(tool, name);
    this.made.set(key, known);
    return known;
  }
}

const offered = (): readonly vscode.LanguageModelToolInformation[] => vscode.lm.tools.filter(({ name }) => !isOwn(name));

const hashOf = ({ name, description, inputSchema }: vscode.LanguageModelToolInformation): string => createHash('sha256').update(JSON.stringify([name, description, inputSchema ?? null])).digest('hex');

/** Names that models take, in the same order: "Search the Web" and "search/the/web" are two. */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map(name => {
    const plain = `lm_${name.replace(/[^\w-]+/g, '_')}`.slice(0, 60);
    let free = plain;
    for (let count = 2; taken.has(free); count++) free = `${plain}_${count}`;
    taken.add(free);
    return free;
  });
}

function madeOf({ name: original, description, inputSchema }: vscode.LanguageModelToolInformation, name: string): Tool {
  const source = `the tool ${original} of another extension`;
  const hash = createHash('sha256').update(JSON.stringify([original, description, inputSchema ?? null])).digest('hex');
  return addedTool({
    name, description, parameters: JSON.parse(JSON.stringify(inputSchema ?? { type: 'object', properties: {} })) as Record<string, unknown>, effect: 'executes', from: { source: 'another extension', tool: original, hash }, allowKey: hash,
    risk: { level: 'unknown', reasons: ['It is a tool of another extension, and may do whatever that extension may.'], reach: { untrusted: [source], network: [source] } },
    run: (input, context) => invoked(original, input, context),
  });
}

async function invoked(name: string, input: Record<string, unknown>, { signal }: ToolContext): Promise<ToolResult> {
  if (!vscode.lm.tools.some(tool => tool.name === name)) throw new Error(`The tool ${name} is not there any more: its extension was switched off or removed. Go on without it.`);
  const cancel = new vscode.CancellationTokenSource();
  const stop = (): void => cancel.cancel();
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined }, cancel.token);
    const text = content.map(asText).filter(Boolean).join('\n');
    return { content: cut(text || 'It answered without text.'), details: { kind: 'note', text: firstLine(text) } };
  } catch (error) {
    signal.throwIfAborted();
    throw new Error(`The tool ${name} failed: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  } finally {
    signal.removeEventListener('abort', stop);
    cancel.dispose();
  }
}

/** Trees of prompt-tsx are for their renderer; what text they hold stands in them somewhere. */
function asText(part: unknown): string {
  if (part instanceof vscode.LanguageModelTextPart) return part.value;
  if (part instanceof vscode.LanguageModelPromptTsxPart) return typeof part.value === 'string' ? part.value : textsIn(part.value).join('');
  return '';
}

function textsIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(textsIn);
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => (key === 'text' && typeof value === 'string' ? [value] : textsIn(value)));
}
