import * as vscode from 'vscode';
import { profiles } from '../../core/profiles/profiles';
import type { PanelFacts, TaskPlace } from '../../protocol/panel/panel';
import { readSettings, type Settings } from '../common/settings';
import { windowModels } from '../contributed/windowModels';
import type { ConfirmationMode, Mode } from '../../protocol/events/event';
import { isInRepository } from '../../adapters/git/headCommit';

/** Returns the facts about the next task that follow from the settings. */
export function nextTaskFacts(): Pick<
  PanelFacts,
  'confirmation' | 'mode' | 'profile' | 'limits' | 'next' | 'trusted' | 'sees'
> {
  const {
    provider,
    vision,
    confirmation,
    mode,
    profile,
    limits,
    sampling,
    toolsets = [],
    disabledToolsets,
  } = readSettings();
  const usual = profiles.find(({ name }) => name === profile)?.limits ?? { steps: 0, cost: 0, seconds: 0 };
  return {
    confirmation,
    mode,
    profile,
    limits: { ...usual, ...limits },
    trusted: vscode.workspace.isTrusted,
    sees: !windowModels(provider) && vision !== 'none',
    next: {
      profile,
      mode,
      candidates: sampling.candidates,
      verifier: sampling.verifier.kind,
      toolsets,
      disabledToolsets,
    },
  };
}

/**
 * Caches `nextTaskFacts`. Reading the settings takes VS Code milliseconds, which is too slow for every event of a run.
 */
export class NextTaskFacts implements vscode.Disposable {
  private cachedFacts: ReturnType<typeof nextTaskFacts> | undefined;
  private readonly listening = vscode.Disposable.from(
    vscode.workspace.onDidChangeConfiguration(() => this.forget()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => this.forget()),
  );

  get current(): ReturnType<typeof nextTaskFacts> {
    return (this.cachedFacts ??= nextTaskFacts());
  }

  dispose(): void {
    this.listening.dispose();
  }

  private forget(): void {
    this.cachedFacts = undefined;
  }
}

/** Facts for a panel without a session. */
export const emptyFacts = {
  running: false,
  status: 'empty',
  writable: true,
  title: '',
  context: null,
  stepping: false,
  pauseRequested: false,
  spent: { inputTokens: null, outputTokens: null, cachedTokens: null, cost: null, steps: 0, uncounted: 0, unpriced: 0 },
} satisfies Partial<PanelFacts>;

interface SelectedMode {
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
  get changedChoices(): Partial<SelectedMode> {
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

const NEXT_PLACE_KEY = 'waymark.nextPlace';

/**
 * Where the next task works, as chosen in the panel. It applies to that task only and survives a reload. Sessions
 * record their own place in their log.
 */
export class NextPlace {
  /** `changed`: called to update everything that shows the place. `folder`: returns the workspace folder, if any. */
  constructor(
    private readonly workspaceState: vscode.Memento,
    private readonly folder: () => string | undefined,
    private readonly changed: () => void,
  ) {}

  async choose(place: TaskPlace): Promise<void> {
    await this.workspaceState.update(NEXT_PLACE_KEY, place === 'workspace' ? undefined : place);
    this.changed();
  }

  /** The chosen place, if it is available. */
  get chosen(): TaskPlace {
    return this.facts.chosen;
  }

  /** Why worktrees are unavailable here; undefined if they are available. */
  private get problem(): string | undefined {
    const folder = this.folder();
    if (folder === undefined) return vscode.l10n.t('No folder is open, so there are no worktrees.');
    if (!isInRepository(folder))
      return vscode.l10n.t('This folder is not in a Git repository, so there are no worktrees.');
    return undefined;
  }

  get facts(): NonNullable<PanelFacts['place']> {
    const { problem } = this;
    if (problem !== undefined) return { chosen: 'workspace', problem };
    return { chosen: this.workspaceState.get<TaskPlace>(NEXT_PLACE_KEY, 'workspace') };
  }
}
