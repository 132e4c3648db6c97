import * as vscode from 'vscode';
import { isInRepository } from '../../adapters/git/headCommit';
import type { PanelFacts, TaskPlace } from '../../protocol/panel/panel';

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
