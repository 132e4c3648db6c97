import * as vscode from 'vscode';
import { contextPart, type Found } from '../../core/context/contextPart';
import { sourceOf } from '../../core/mcp/mcpTool';
import { promptCalled, promptCommand, type PromptCommand } from '../../core/mcp/promptCommands';
import { withoutInvisible } from '../../core/text/spotlight';
import { mentionsIn, type MentionName, typedAt } from '../../core/context/mentions';
import { ranked } from '../../core/context/rank';
import { calledBy, callable, withValues } from '../../core/skills/commandInputs';
import { commandName } from '../../core/skills/commandName';
import type { Skill } from '../../core/ports/skill';
import { profiles } from '../../core/profiles/profiles';
import type { ContextPart, Image } from '../../protocol/events/event';
import type { Completion, Starter, ToPanel } from '../../protocol/panel/panel';
import type { ModelService } from '../models/modelService';
import { factsOfNext } from '../sessions/nextTask';
import type { OpenSessions } from '../sessions/openSessions';
import type { ShownSession } from '../sessions/shownSession';
import type { Teaching } from '../skills/teaching';
import type { ContextSources, KnownSources } from './contextSources';
import { mentionKinds } from './mentionKinds';
import { openEditor, otherEditors } from './openEditors';
import { slashCommands } from './slashCommands';

/** A message as it may be sent. */
export interface Composed {
  readonly text: string;
  readonly context: readonly ContextPart[];
  readonly images?: readonly Image[];
}

/** What is sent along with a message: the open editor, the names of other open editors, pictures. */
export interface Beside {
  readonly editor?: boolean | undefined;
  readonly others?: boolean | undefined;
  readonly images?: readonly Image[] | undefined;
}

/** What helps to write: the sessions of the window, the chosen model, and what the folder teaches. */
export interface Writing {
  readonly sessions: OpenSessions;
  readonly shown: ShownSession;
  readonly models: ModelService;
  readonly teaching: Teaching;
  readonly sources: KnownSources;
  /** Takes back words that are not sent, with the reason. */
  readonly outlet: { readonly post: (message: ToPanel) => void; giveBack(text: string, why: Error): void };
}

const mostOffered = 20;

/** Helps to write a message, and adds what it points at. */
export class Composing implements vscode.Disposable {
  /** What the panel says would go with what is typed. */
  beside: { readonly editor: boolean; readonly others: boolean; readonly pictures: number } = {
    editor: true,
    others: true,
    pictures: 0,
  };
  private readonly registrations: vscode.Disposable[];
  private told: string | undefined;
  /** Suggested tasks for the folder, as they were last sent to the panel. */
  private starters: Starter[] = [];

  constructor(private readonly writing: Writing) {
    this.registrations = [
      vscode.window.onDidChangeActiveTextEditor(() => this.tellEditor()),
      vscode.window.onDidChangeTextEditorSelection(() => this.tellEditor()),
      vscode.window.tabGroups.onDidChangeTabs(() => this.tellEditor()),
    ];
  }

  /** What may be meant by the end of `text`. */
  async complete(text: string, id: number): Promise<void> {
    const typed = typedAt(text);
    const items = !typed
      ? []
      : typed.sign === '/'
        ? await this.commands(typed.query)
        : await this.mentions(typed.query);
    this.writing.outlet.post({ type: 'completions', id, length: typed?.length ?? 0, items });
  }

  /**
   * The message with the values that its command asks for, and what it points at. Undefined, and given back, where the
   * person gave no value. Throws an `Error` in words where a mention cannot be given.
   */
  async composed(text: string, beside: Beside = {}): Promise<Composed | undefined> {
    const whole = await this.withInputs(text);
    if (whole === undefined) {
      this.writing.outlet.giveBack(text, new Error(vscode.l10n.t('Not sent: the command needs a value.')));
      return undefined;
    }
    return this.pointing(whole, beside);
  }

  /** The message with what it points at now; nothing is asked. */
  async pointing(whole: string, { editor, others, images = [] }: Beside = {}): Promise<Composed> {
    const { sources } = this;
    const seen = images.length > 0 && { images };
    if (!sources) return { text: whole, context: [], ...seen };
    const pointed = await Promise.all(
      mentionsIn(whole).map(async (mention) => {
        const found = await mentionKinds[mention.kind].resolve(mention, sources);
        return found ? [contextPart(mention.kind, found)] : [];
      }),
    );
    const open = [
      ...(editor ? [openEditor(sources)?.found()] : []),
      ...(others ? [otherEditors(sources)?.found()] : []),
    ].filter((found) => found !== undefined);
    const prompted = await this.prompted(whole);
    return {
      text: whole,
      context: [
        ...pointed.flat(),
        ...(prompted ? [contextPart('prompt', prompted)] : []),
        ...open.map((found) => contextPart('editor', found)),
      ],
      ...seen,
    };
  }

  /** Tells the panel what is open, where that is another than it knows. `anew`: it knows nothing. */
  tellEditor(anew = false): void {
    const label = this.sources && openEditor(this.sources)?.words;
    const others = (this.sources && otherEditors(this.sources))?.names;
    const telling = JSON.stringify([label, others]);
    if (!anew && telling === this.told) return;
    this.told = telling;
    this.writing.outlet.post({
      type: 'editor',
      ...(label !== undefined && { label }),
      ...(others && { others: [...others] }),
    });
  }

  /** Tells the panel what a person could begin with here. */
  async tellStarters(): Promise<void> {
    const { sources } = this;
    const { startersFor } = await import('./starters');
    this.starters = sources ? await startersFor(sources) : [];
    await this.tellRecent();
  }

  /** Sends the state of all sessions to a panel that shows no session, because it lists them. */
  async tellRecent(): Promise<void> {
    const { sessions, shown, outlet } = this.writing;
    if (shown.id !== undefined) return;
    const { recentSessions } = await import('./starters');
    const recent = recentSessions(sessions.list(), (id) => sessions.get(id)?.conversation.running ?? false);
    outlet.post({ type: 'starters', tasks: this.starters, recent });
  }

  dispose(): void {
    for (const registration of this.registrations) registration.dispose();
  }

  private get sources(): ContextSources | undefined {
    return this.writing.sources.now;
  }

  /** Those that may be called: of a profile that does not listen, none. */
  private async skills(): Promise<Skill[]> {
    const { shown, models, teaching } = this.writing;
    const profileName = shown.live?.settings?.profile ?? factsOfNext().profile;
    if (!profiles.find(({ name }) => name === profileName)?.skills) return [];
    return ((await teaching.skills.files?.all(models.name)) ?? [])
      .filter(({ unused }) => unused === undefined)
      .map(({ skill }) => skill);
  }

  /** Whether a skill or a prompt of a server has this name: it means more to the person than a command of Waymark. */
  async isCalled(name: string): Promise<boolean> {
    const named = [...callable(await this.skills()), ...this.prompts.map(({ command }) => command)];
    return named.some((skill) => commandName(skill) === name);
  }

  private async commands(query: string): Promise<Completion[]> {
    const named = await this.namedCommands(query);
    const taken = new Set(named.map(({ insert }) => insert));
    const own = ranked(slashCommands(), query, ({ name }) => name, mostOffered).map(
      ({ name, detail, icon }): Completion => ({ label: `/${name}`, detail, insert: `/${name}`, icon }),
    );
    return [...own.filter(({ insert }) => !taken.has(insert)), ...named].slice(0, mostOffered);
  }

  private async namedCommands(query: string): Promise<Completion[]> {
    return ranked(
      [...callable(await this.skills()), ...this.prompts.map(({ command }) => command)],
      query,
      commandName,
      mostOffered,
    ).map((skill) => {
      const name = commandName(skill);
      const inputs = skill.inputs
        .map((input) => (input.fallback === undefined ? `<${input.name}>` : `[${input.name}]`))
        .join(' ');
      return {
        label: [`/${name}`, inputs].filter(Boolean).join(' '),
        detail: skill.description.replace(/\s+/g, ' ').trim() || skill.path,
        insert: `/${name}`,
        icon: 'book',
      };
    });
  }

  private async mentions(query: string): Promise<Completion[]> {
    const { sources } = this;
    const kinds = Object.entries(mentionKinds);
    const [, name, argument = ''] = /^([a-z]+):(?!\/\/)(.*)$/s.exec(query) ?? [];
    const named =
      name === undefined ? undefined : (mentionKinds as Record<string, (typeof mentionKinds)[MentionName]>)[name];
    if (!sources) return [];
    if (named) return ((await named.complete?.(argument, sources)) ?? []).slice(0, mostOffered);
    const offers = kinds.filter(([each]) => each.startsWith(query.toLowerCase())).map(([, kind]) => kind.offer());
    const [files, folders] = await Promise.all([
      mentionKinds.file.complete!(query, sources),
      query === '' ? [] : mentionKinds.folder.complete!(query, sources),
    ]);
    return [
      ...offers,
      ...(query.endsWith('/') ? [...folders.slice(0, 5), ...files] : [...files, ...folders.slice(0, 5)]),
    ].slice(0, mostOffered);
  }

  /** What the MCP servers that run offer for a message. */
  private get prompts(): PromptCommand[] {
    return (this.writing.teaching.mcp.known?.all ?? []).flatMap(({ named, prompts }) =>
      prompts.map((prompt) => promptCommand(named.name, prompt)),
    );
  }

  /** The words of a prompt that the message calls. The person wants them done, but nobody vouches for them. */
  private async prompted(text: string): Promise<Found | undefined> {
    const wanted = promptCalled(text, this.prompts);
    if (!wanted) return undefined;
    const {
      command: { server, prompt },
      values,
    } = wanted;
    const words = await this.writing.teaching.mcp.known!.named(server)!.calls.prompt(prompt, values);
    return {
      label: `/${server}:${prompt}: what ${sourceOf(server)} says to that`,
      text: withoutInvisible(words),
      source: sourceOf(server),
      trust: 'prose',
    };
  }

  /** Asks for what a command needs and the message does not give. */
  private async withInputs(text: string): Promise<string | undefined> {
    const called = /^\s*\//.test(text)
      ? (calledBy(text, await this.skills()) ?? promptCalled(text, this.prompts)?.called)
      : undefined;
    const values: [name: string, value: string][] = [];
    for (const [index, { name, description }] of (called?.missing ?? []).entries()) {
      const value = await vscode.window.showInputBox({
        title: `/${commandName(called!.skill)} (${index + 1}/${called!.missing.length})`,
        prompt: description ? `${name}: ${description}` : name,
        ignoreFocusOut: true,
        validateInput: (given) =>
          given.trim() === '' ? vscode.l10n.t('Enter a value. The command needs it.') : undefined,
      });
      if (value === undefined) return undefined;
      values.push([name, value.trim()]);
    }
    return values.length === 0 ? text : withValues(text, Object.fromEntries(values));
  }
}
