import * as vscode from 'vscode';
import type { ConfirmationMode, Mode } from '../../protocol/events/event';
import { readSettings, type Settings } from '../common/settings';

export interface SelectedMode {
  readonly mode: Mode;
  readonly confirmation?: ConfirmationMode;
}

const CONFIRMED = 'waymark.autoConfirmed';

/**
 * The mode that the user chose before a task starts. It applies to the next session only; later ones use the setting
 * again.
 */
export class NextMode {
  private chosen: SelectedMode | undefined;

  /** `changed`: called to update everything that shows the mode. */
  constructor(
    private readonly workspaceState: vscode.Memento,
    readonly changed: () => void,
  ) {}

  /** The choices for the next session that differ from the settings. */
  get instead(): Partial<SelectedMode> {
    return this.chosen ?? {};
  }

  choose(chosen: SelectedMode): void {
    this.chosen = chosen;
    this.changed();
  }

  /**
   * Returns the settings for a new session. Throws an `Error` with a message for people if it would start in Auto and
   * the user does not confirm that.
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

  /** Returns whether the mode may be used in this workspace. Auto must be confirmed once. */
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
