import * as vscode from 'vscode';
import { listsAreClosed } from '../common/quickInput';
import type { Composing } from '../context/composing';
import { slashCommands } from '../context/slashCommands';
import type { Controls } from '../sessions/controls';
import type { ShownSession } from '../sessions/shownSession';
import type { PanelOutlet } from './panelOutlet';

interface PanelCommandParts {
  readonly shown: Pick<ShownSession, 'live' | 'show'>;
  readonly controls: Pick<Controls, 'setMode'>;
  readonly composing: Pick<Composing, 'isCalled'>;
  readonly outlet: Pick<PanelOutlet, 'post' | 'reveal'>;
  /** Sends a message. */
  say(text: string): Promise<void>;
}

/** Runs messages that are built-in commands, such as "/new". */
export class PanelCommands {
  constructor(private readonly parts: PanelCommandParts) {}

  /**
   * Runs a command. Returns false if the text is an ordinary message: it contains more than the command, or a skill or
   * prompt has that name.
   */
  async run(text: string): Promise<boolean> {
    const { shown, controls, composing, outlet, say } = this.parts;
    const [, name, rest = ''] = /^\s*\/([a-z]+)(?:\s+(\S[^]*))?$/.exec(text.trimEnd()) ?? [];
    const command = slashCommands().find((each) => each.name === name);
    const takesWords = name === 'plan';
    if (!command || (rest !== '' && !takesWords)) return false;
    if (shown.live?.settings?.mode === 'human' || (await composing.isCalled(command.name))) return false;
    if (command.command !== undefined) await runWindowCommand(outlet, command.command);
    else if (command.name === 'new') {
      await shown.show(undefined);
      outlet.post({ type: 'focus', what: 'composer' });
    } else if (command.name === 'help') outlet.post({ type: 'focus', what: 'help' });
    else {
      await controls.setMode('plan');
      if (rest !== '') await say(rest);
    }
    return true;
  }
}

/** Commands of the panel that ask something in lists of VS Code. */
const asksInLists: ReadonlySet<string> = new Set([
  'waymark.attachFiles',
  'waymark.chooseMode',
  'waymark.chooseModel',
  'waymark.chooseOptions',
  'waymark.exportSession',
]);

/** Runs a command of VS Code for a panel. */
export async function runWindowCommand(outlet: Pick<PanelOutlet, 'reveal'>, id: string): Promise<void> {
  const run = () => vscode.commands.executeCommand(id);
  await (asksInLists.has(id) ? andBack(outlet, run) : run());
}

/** Runs what asks the user in lists, which leave the focus in the editor area. Then the panel gets it back. */
export async function andBack(outlet: Pick<PanelOutlet, 'reveal'>, run: () => Thenable<unknown>): Promise<void> {
  const activeTab = () => vscode.window.tabGroups.activeTabGroup.activeTab;
  const before = activeTab();
  await run();
  // A list that is closed later would take the focus back.
  await listsAreClosed();
  // Unless it opened something, such as settings.
  if (activeTab() === before) await outlet.reveal();
}
