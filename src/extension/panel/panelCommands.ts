import * as vscode from 'vscode';
import type { Composing } from '../context/composing';
import { slashCommands } from '../context/slashCommands';
import type { Controls } from '../sessions/controls';
import type { ShownSession } from '../sessions/shownSession';
import type { PanelOutlet } from './panelOutlet';

export interface PanelCommandParts {
  readonly shown: Pick<ShownSession, 'live' | 'show'>;
  readonly controls: Pick<Controls, 'setMode'>;
  readonly composing: Pick<Composing, 'isCalled'>;
  readonly outlet: Pick<PanelOutlet, 'post'>;
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
    if (command.command !== undefined) await vscode.commands.executeCommand(command.command);
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
