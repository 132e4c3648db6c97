import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { addedTool } from '../../core/tools/addedTool';
import type { Tool, ToolContext, ToolResult } from '../../core/ports/tool';
import type { ToolSource } from '../../core/tools/toolSources';
import { firstLine } from '../contributed/contributedTools';
import { extensionLabel, type ExtensionName } from '../contributed/callingExtension';
import { isWaymarkTool } from './ownTools';
import { errorMessage } from '../../core/text/errorMessage';

const KEY = 'waymark.otherTools';

/** The chosen tools: tool name → hash of the description at the time of the choice. */
type Chosen = Readonly<Record<string, string>>;

/**
 * Tools that other extensions offer to all chats of VS Code. The agent can use those that the user chose for this
 * workspace.
 */
export class OtherTools implements ToolSource {
  private readonly reported = new Set<string>();
  private readonly made = new Map<string, Tool>();

  /** `state`: storage of the workspace, outside its folder. */
  constructor(private readonly state: vscode.Memento) {}

  tools(): readonly Tool[] {
    const { chosen } = this;
    if (!vscode.workspace.isTrusted || Object.keys(chosen).length === 0) return [];
    const now = toolsOfOthers().filter(
      (each) => chosen[each.tool.name] !== undefined && chosen[each.tool.name] === toolHash(each),
    );
    const names = uniqueNames(now.map(({ tool }) => tool.name));
    return now.map((each, index) => this.toolOf(each, names[index]!));
  }

  /** Warns once about each chosen tool that is left out because its description has changed since. */
  async prepare(): Promise<void> {
    const { chosen } = this;
    const changed =
      Object.keys(chosen).length === 0
        ? []
        : toolsOfOthers().filter(
            (each) =>
              chosen[each.tool.name] !== undefined &&
              chosen[each.tool.name] !== toolHash(each) &&
              !this.reported.has(toolHash(each)),
          );
    if (changed.length === 0) return;
    for (const each of changed) this.reported.add(toolHash(each));
    const selectTools = vscode.l10n.t('Select Tools…');
    void vscode.window
      .showWarningMessage(
        vscode.l10n.t(
          '{0} of another extension changed its description since you selected it, so the agent does not use it.',
          changed.map(({ tool }) => tool.name).join(', '),
        ),
        selectTools,
      )
      .then((picked) => (picked === selectTools ? void this.choose() : undefined));
  }

  /**
   * Asks which of these tools the agent may use in this workspace. Chosen tools that are currently unavailable stay
   * chosen. Returns the names of the picked tools, or undefined if the user cancelled.
   */
  async choose(): Promise<string[] | undefined> {
    const all = toolsOfOthers();
    if (all.length === 0) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t('No other extension provides language model tools. Install or enable one, then try again.'),
      );
      return undefined;
    }
    const { chosen } = this;
    const items = all.map((each) => {
      const { tool, by } = each;
      const before = chosen[tool.name];
      const changed = before !== undefined && before !== toolHash(each);
      return {
        label: tool.name,
        description: [extensionLabel(by), changed ? vscode.l10n.t('changed since it was chosen') : '']
          .filter(Boolean)
          .join(' · '),
        detail: tool.description.replace(/\s+/g, ' ').trim().slice(0, 300),
        picked: before !== undefined && !changed,
        each,
      };
    });
    const picked = await vscode.window.showQuickPick(items, {
      title: vscode.l10n.t('Tools of Other Extensions'),
      placeHolder: vscode.l10n.t(
        'Tools the agent may use in this workspace. Calls need approval as your mode says; results are untrusted.',
      ),
      canPickMany: true,
      matchOnDescription: true,
      matchOnDetail: true,
    });
    if (!picked) return undefined;
    const away = Object.entries(chosen).filter(([name]) => !all.some(({ tool }) => tool.name === name));
    await this.state.update(
      KEY,
      Object.fromEntries([...away, ...picked.map(({ label, each }) => [label, toolHash(each)])]),
    );
    return picked.map(({ label }) => label);
  }

  private get chosen(): Chosen {
    return this.state.get<Chosen>(KEY, {});
  }

  private toolOf(each: Offered, name: string): Tool {
    const key = `${name} ${toolHash(each)}`;
    const known = this.made.get(key) ?? madeOf(each, name);
    this.made.set(key, known);
    return known;
  }
}

/** A tool that is currently available, and the extension that declares it. */
interface Offered {
  readonly tool: vscode.LanguageModelToolInformation;
  readonly by: ExtensionName;
}

/**
 * Returns the tools of other extensions. VS Code also lists built-in tools, which only work in its own chat; they are
 * left out.
 */
function toolsOfOthers(): Offered[] {
  const declared = new Map<string, ExtensionName>();
  for (const { id, packageJSON } of vscode.extensions.all) {
    const { displayName = id, contributes } = packageJSON as {
      displayName?: string;
      contributes?: { languageModelTools?: readonly { name?: unknown }[] };
    };
    for (const { name } of Array.isArray(contributes?.languageModelTools) ? contributes.languageModelTools : [])
      if (typeof name === 'string') declared.set(name, { id, name: displayName });
  }
  return vscode.lm.tools.flatMap((tool) => {
    const by = declared.get(tool.name);
    return by && !isWaymarkTool(tool.name) ? [{ tool, by }] : [];
  });
}

const toolHash = ({ by, tool: { name, description, inputSchema } }: Offered): string =>
  createHash('sha256')
    .update(JSON.stringify([by.id, name, description, inputSchema ?? null]))
    .digest('hex');

/** Returns names that models accept, in the same order. "Search the Web" and "search/the/web" get different names. */
function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const plain = `lm_${name.replace(/[^\w-]+/g, '_')}`.slice(0, 60);
    let free = plain;
    for (let count = 2; taken.has(free); count++) free = `${plain}_${count}`;
    taken.add(free);
    return free;
  });
}

function madeOf(each: Offered, name: string): Tool {
  const {
    by,
    tool: { name: original, description, inputSchema },
  } = each;
  const source = `the extension ${extensionLabel(by)}`;
  const hash = toolHash(each);
  return addedTool({
    name,
    description,
    parameters: JSON.parse(JSON.stringify(inputSchema ?? { type: 'object', properties: {} })) as Record<
      string,
      unknown
    >,
    effect: 'executes',
    from: { source, tool: original, hash },
    allowKey: hash,
    risk: {
      level: 'unknown',
      reasons: [`Calls a tool of ${source}, which can do anything that extension can.`],
      reach: { untrusted: [source], network: [source] },
    },
    run: (input, context) => invokeTool(original, input, context),
  });
}

async function invokeTool(name: string, input: Record<string, unknown>, { signal }: ToolContext): Promise<ToolResult> {
  if (!vscode.lm.tools.some((tool) => tool.name === name))
    throw new Error(
      `The tool ${name} is no longer available: its extension was disabled or removed. Continue without it.`,
    );
  const cancel = new vscode.CancellationTokenSource();
  const stop = (): void => cancel.cancel();
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined }, cancel.token);
    const text = content.map(asText).filter(Boolean).join('\n');
    return { content: text || 'It returned no text.', details: { kind: 'note', text: firstLine(text) } };
  } catch (error) {
    signal.throwIfAborted();
    throw new Error(`The tool ${name} failed: ${errorMessage(error)}`, {
      cause: error,
    });
  } finally {
    signal.removeEventListener('abort', stop);
    cancel.dispose();
  }
}

/** Returns the text of a result part. A prompt-tsx tree is meant for its own renderer, so its text nodes are joined. */
function asText(part: unknown): string {
  if (part instanceof vscode.LanguageModelTextPart) return part.value;
  if (part instanceof vscode.LanguageModelPromptTsxPart)
    return typeof part.value === 'string' ? part.value : textsIn(part.value).join('');
  return '';
}

function textsIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(textsIn);
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) =>
    key === 'text' && typeof value === 'string' ? [value] : textsIn(value),
  );
}
