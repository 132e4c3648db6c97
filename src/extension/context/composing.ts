import * as vscode from 'vscode';
import { askText } from '../common/quickInput';
import { contextPart, type Found } from '../../core/context/contextPart';
import { serverSource } from '../../core/mcp/mcpTool';
import { parsePromptCall, promptCommand, type PromptCommand } from '../../core/mcp/offers';
import { withoutInvisible } from '../../core/text/spotlight';
import { mentionsIn, type MentionName, type Typed, typedAt } from '../../core/context/mentions';
import { bestMatches } from '../../core/context/bestMatches';
import { parseSkillCall, callableSkills, withValues } from '../../core/skills/commandInputs';
import { commandName } from '../../core/skills/commandName';
import type { Skill } from '../../core/ports/skill';
import { profiles } from '../../core/profiles/profiles';
import type { ContextPart, Image } from '../../protocol/events/event';
import type { Completion, Starter, ToPanel } from '../../protocol/panel/panel';
import type { ModelService } from '../models/modelService';
import { nextTaskFacts } from '../sessions/nextTask';
import type { OpenSessions } from '../sessions/openSessions';
import type { ShownSession } from '../sessions/shownSession';
import type { Teaching } from '../skills/teaching';
import type { ContextSources, KnownSources } from './contextSources';
import { mentionKinds } from './mentionKinds';
import { openEditor, otherEditors } from './openEditors';
import { slashCommands } from './slashCommands';

/** A message that is ready to be sent. */
export interface Composed {
  readonly text: string;
  readonly context: readonly ContextPart[];
  readonly images?: readonly Image[];
}

/** What to send along with a message: the open editor, the names of other open editors, images. */
export interface MessageExtras {
  readonly editor?: boolean | undefined;
  readonly others?: boolean | undefined;
  readonly images?: readonly Image[] | undefined;
}

/**
 * What writing a message depends on: the sessions of the window, the chosen model, skills and servers of the folder.
 */
interface ComposingParts {
  readonly sessions: OpenSessions;
  readonly shown: ShownSession;
  readonly models: ModelService;
  readonly teaching: Teaching;
  readonly sources: KnownSources;
  /** Returns text that was not sent to the composer, with the reason. */
  readonly outlet: { readonly post: (message: ToPanel) => void; giveBack(text: string, why: Error): void };
}

const maxOffered = 20;

/** Completes a message while it is being written, and attaches what it mentions. */
export class Composing implements vscode.Disposable {
  /** What the panel would send along with the typed message. */
  attachments: { readonly editor: boolean; readonly others: boolean; readonly pictures: number } = {
    editor: true,
    others: true,
    pictures: 0,
  };
  private readonly registrations: vscode.Disposable[];
  private lastSent: string | undefined;
  /** Aborted when the user types on. */
  private completing = new AbortController();
  /** Suggested tasks for the folder, as last sent to the panel. */
  private starters: Starter[] = [];

  constructor(private readonly writing: ComposingParts) {
    this.registrations = [
      vscode.window.onDidChangeActiveTextEditor(() => this.tellEditor()),
      vscode.window.onDidChangeTextEditorSelection(() => this.tellEditor()),
      vscode.window.tabGroups.onDidChangeTabs(() => this.tellEditor()),
    ];
  }

  /** Sends completions for the end of `text` to the panel, unless the next request comes first. */
  async complete(text: string, id: number): Promise<void> {
    this.completing.abort();
    const { signal } = (this.completing = new AbortController());
    const typed = typedAt(text);
    try {
      const items = typed ? await this.completionsFor(typed, signal) : [];
      if (!signal.aborted) this.writing.outlet.post({ type: 'completions', id, length: typed?.length ?? 0, items });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  private completionsFor({ sign, query }: Typed, signal: AbortSignal): Promise<Completion[]> {
    return sign === '/' ? this.commands(query) : this.mentions(query, signal);
  }

  /**
   * Asks for missing values of the message's command, then attaches what the message mentions. If the user gives no
   * value, the text goes back to the composer and undefined is returned. Throws an `Error` with a message for people if
   * a mention cannot be attached.
   */
  async compose(text: string, extras: MessageExtras = {}): Promise<Composed | undefined> {
    const whole = await this.withInputs(text);
    if (whole === undefined) {
      this.writing.outlet.giveBack(text, new Error(vscode.l10n.t('Not sent: the command needs a value.')));
      return undefined;
    }
    return this.attachMentions(whole, extras);
  }

  /** Returns the message with what it mentions, without asking the user anything. */
  async attachMentions(whole: string, { editor, others, images = [] }: MessageExtras = {}): Promise<Composed> {
    const { sources } = this;
    const withImages = images.length > 0 && { images };
    if (!sources) return { text: whole, context: [], ...withImages };
    const pointed = await Promise.all(
      mentionsIn(whole).map(async (mention) => {
        const found = await mentionKinds[mention.kind].resolve(mention, sources);
        return found ? [contextPart(mention.kind, found)] : [];
      }),
    );
    const open = [
      ...(editor ? [openEditor(sources)?.findEditors()] : []),
      ...(others ? [otherEditors(sources)?.findEditors()] : []),
    ].filter((found) => found !== undefined);
    const prompted = await this.serverPrompt(whole);
    return {
      text: whole,
      context: [
        ...pointed.flat(),
        ...(prompted ? [contextPart('prompt', prompted)] : []),
        ...open.map((found) => contextPart('editor', found)),
      ],
      ...withImages,
    };
  }

  /** Tells the panel which editors are open, if that has changed. `anew`: send it in any case. */
  tellEditor({ anew = false }: { readonly anew?: boolean } = {}): void {
    const label = this.sources && openEditor(this.sources)?.words;
    const others = (this.sources && otherEditors(this.sources))?.names;
    const telling = JSON.stringify([label, others]);
    if (!anew && telling === this.lastSent) return;
    this.lastSent = telling;
    this.writing.outlet.post({
      type: 'editor',
      ...(label !== undefined && { label }),
      ...(others && { others: [...others] }),
    });
  }

  /** Sends the panel suggested tasks and recent sessions. */
  async tellStarters(): Promise<void> {
    const { sources } = this;
    const { startersFor } = await import('./starters');
    this.starters = sources ? await startersFor(sources) : [];
    await this.tellRecent();
  }

  /** Sends the recent sessions to a panel that shows no session, where they are listed. */
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
    return this.writing.sources.current;
  }

  /** Returns the skills that the user can call; none if the profile does not support skills. */
  private async skills(): Promise<Skill[]> {
    const { shown, models, teaching } = this.writing;
    const profileName = shown.live?.settings?.profile ?? nextTaskFacts().profile;
    if (!profiles.find(({ name }) => name === profileName)?.skills) return [];
    return ((await teaching.skills.files?.listAll(models.name)) ?? [])
      .filter(({ unused }) => unused === undefined)
      .map(({ skill }) => skill);
  }

  /** Returns whether a skill or a server prompt has this name. Those take precedence over Waymark's own commands. */
  async isCalled(name: string): Promise<boolean> {
    const named = [...callableSkills(await this.skills()), ...this.prompts.map(({ command }) => command)];
    return named.some((skill) => commandName(skill) === name);
  }

  private async commands(query: string): Promise<Completion[]> {
    const named = await this.namedCommands(query);
    const taken = new Set(named.map(({ insert }) => insert));
    const own = bestMatches(slashCommands(), query, { nameOf: ({ name }) => name, most: maxOffered }).map(
      ({ name, detail, icon }): Completion => ({ label: `/${name}`, detail, insert: `/${name}`, icon }),
    );
    return [...own.filter(({ insert }) => !taken.has(insert)), ...named].slice(0, maxOffered);
  }

  private async namedCommands(query: string): Promise<Completion[]> {
    return bestMatches([...callableSkills(await this.skills()), ...this.prompts.map(({ command }) => command)], query, {
      nameOf: commandName,
      most: maxOffered,
    }).map((skill) => {
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

  private async mentions(query: string, signal: AbortSignal): Promise<Completion[]> {
    const { sources } = this;
    const kinds = Object.entries(mentionKinds);
    const [, name, argument = ''] = /^([a-z]+):(?!\/\/)(.*)$/s.exec(query) ?? [];
    const named =
      name === undefined ? undefined : (mentionKinds as Record<string, (typeof mentionKinds)[MentionName]>)[name];
    if (!sources) return [];
    if (named) return ((await named.complete?.(argument, sources, signal)) ?? []).slice(0, maxOffered);
    const offers = kinds.filter(([each]) => each.startsWith(query.toLowerCase())).map(([, kind]) => kind.offer());
    const [files, folders] = await Promise.all([
      mentionKinds.file.complete!(query, sources, signal),
      query === '' ? [] : mentionKinds.folder.complete!(query, sources, signal),
    ]);
    return [
      ...offers,
      ...(query.endsWith('/') ? [...folders.slice(0, 5), ...files] : [...files, ...folders.slice(0, 5)]),
    ].slice(0, maxOffered);
  }

  /** Prompts that the running MCP servers offer. */
  private get prompts(): PromptCommand[] {
    return (this.writing.teaching.mcp.loadedServers?.all ?? []).flatMap(({ named, prompts }) =>
      prompts.map((prompt) => promptCommand(named.name, prompt)),
    );
  }

  /**
   * Returns the text of the server prompt that the message calls. The user wants it followed, but its content is not
   * trusted.
   */
  private async serverPrompt(text: string): Promise<Found | undefined> {
    const wanted = parsePromptCall(text, this.prompts);
    if (!wanted) return undefined;
    const {
      command: { server, prompt },
      values,
    } = wanted;
    const words = await this.writing.teaching.mcp.loadedServers!.serverNamed(server)!.calls.prompt(prompt, values);
    return {
      label: `/${server}:${prompt}: what ${serverSource(server)} says to that`,
      text: withoutInvisible(words),
      source: serverSource(server),
      trust: 'prose',
    };
  }

  /** Asks for the values that a command needs and the message lacks. Returns undefined if the user cancelled. */
  private async withInputs(text: string): Promise<string | undefined> {
    const called = /^\s*\//.test(text)
      ? (parseSkillCall(text, await this.skills()) ?? parsePromptCall(text, this.prompts)?.called)
      : undefined;
    const values: [name: string, value: string][] = [];
    for (const [index, { name, description }] of (called?.missing ?? []).entries()) {
      const value = await askText({
        title: `/${commandName(called!.skill)} (${index + 1}/${called!.missing.length})`,
        prompt: description ? `${name}: ${description}` : name,
        validateInput: (typed) =>
          typed.trim() === '' ? vscode.l10n.t('Enter a value. The command needs it.') : undefined,
      });
      if (value === undefined) return undefined;
      values.push([name, value.trim()]);
    }
    return values.length === 0 ? text : withValues(text, Object.fromEntries(values));
  }
}
