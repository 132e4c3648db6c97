import * as vscode from 'vscode';
import { profiles } from '../core/profiles/profiles';
import type { PanelFacts } from '../protocol/panel';
import { readSettings } from './settings';

/** What the settings say of the next task. */
export function factsOfNext(): Pick<PanelFacts, 'confirmation' | 'mode' | 'profile' | 'limits' | 'next' | 'trusted'> {
  const { confirmation, mode, profile, limits, sampling, toolsets = [], disabledToolsets } = readSettings();
  const usual = profiles.find(({ name }) => name === profile)?.limits ?? { steps: 0, cost: 0, seconds: 0 };
  return {
    confirmation, mode, profile, limits: { ...usual, ...limits }, trusted: vscode.workspace.isTrusted,
    next: { profile, mode, candidates: sampling.candidates, verifier: sampling.verifier.kind, toolsets, disabledToolsets },
  };
}
