import * as vscode from 'vscode';
import type { ConfirmationMode, Mode } from '../../protocol/events/event';
import { readSettings, type Settings } from '../common/settings';

export interface ChosenMode {
  readonly mode: Mode;
  readonly confirmation?: ConfirmationMode;
}

const CONFIRMED = 'waymark.autoConfirmed';

/**
 * The mode that a person chose before a task begins. It is for the next session alone;
 * the setting is what later ones begin with.
 */
export class NextMode {
  private chosen: ChosenMode | undefined;

  /** `changed`: has everything shown again that tells the mode. */
  constructor(
    private readonly workspaceState: vscode.Memento,
    readonly changed: () => void,
  ) {}

  /** What is true of the next session where it is not as the settings say. */
  get instead(): Partial<ChosenMode> {
    return this.chosen ?? {};
  }

  choose(chosen: ChosenMode): void {
    this.chosen = chosen;
    this.changed();
  }

  /**
   * The settings of a session that begins now. Throws an `Error` in words for the person where it would
   * begin in Auto and that is not confirmed.
   */
  async settings(): Promise<Settings> {
    const settings: Settings = { ...readSettings(), ...this.chosen };
    if (!(await this.allows(settings.mode)))
      throw new Error(
        vscode.l10n.t(
          'The task was not started: Auto is not confirmed for this workspace. Choose another mode in the header.',
        ),
      );
    this.chosen = undefined;
    return settings;
  }

  /** Whether the mode may be used in this workspace: Auto is confirmed once. */
  async allows(mode: Mode): Promise<boolean> {
    if (mode !== 'auto' || this.workspaceState.get<boolean>(CONFIRMED) === true) return true;
    const use = vscode.l10n.t('Use Auto');
    const detail = vscode.l10n.t(
      'In Auto the agent runs commands and changes files without asking. It still asks before it changes protected files, such as Git hooks or editor settings, and before actions that can destroy this machine. You are asked once per workspace.',
    );
    const picked = await vscode.window.showWarningMessage(
      vscode.l10n.t('Use Auto in this workspace?'),
      { modal: true, detail },
      use,
    );
    if (picked !== use) return false;
    await this.workspaceState.update(CONFIRMED, true);
    return true;
  }
}
