import * as vscode from 'vscode';
import { profiles } from '../../core/profiles/profiles';
import type { PanelFacts } from '../../protocol/panel/panel';
import { readSettings } from '../common/settings';
import { windowModels } from '../contributed/windowModels';

/** Returns the facts about the next task that follow from the settings. */
export function factsOfNext(): Pick<
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
 * Caches `factsOfNext`. Reading the settings takes VS Code milliseconds, which is too slow for every event of a run.
 */
export class FactsOfNext implements vscode.Disposable {
  private cachedFacts: ReturnType<typeof factsOfNext> | undefined;
  private readonly listening = vscode.Disposable.from(
    vscode.workspace.onDidChangeConfiguration(() => this.forget()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => this.forget()),
  );

  get now(): ReturnType<typeof factsOfNext> {
    return (this.cachedFacts ??= factsOfNext());
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
