import * as vscode from 'vscode';
import { isInRepository } from '../../adapters/git/headCommit';
import type { PanelFacts, TaskPlace } from '../../protocol/panel/panel';

const CHOSEN = 'waymark.nextPlace';

/**
 * Where the next task works, as a person chose in the panel. It is for that task alone and outlives a reload; a
 * session that has begun keeps its place in its log.
 */
export class NextPlace {
  /** `changed`: has everything shown again that tells the place. `folder`: of the workspace; undefined without one. */
  constructor(
    private readonly workspaceState: vscode.Memento,
    private readonly folder: () => string | undefined,
    private readonly changed: () => void,
  ) {}

  async choose(place: TaskPlace): Promise<void> {
    await this.workspaceState.update(CHOSEN, place === 'workspace' ? undefined : place);
    this.changed();
  }

  /** The chosen place, where it can be had. */
  get wish(): TaskPlace {
    return this.facts.chosen;
  }

  /** Why there are no worktrees here; undefined where there may be. */
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
    return { chosen: this.workspaceState.get<TaskPlace>(CHOSEN, 'workspace') };
  }
}
