import * as vscode from 'vscode';
import { profiles } from '../../core/profiles/profiles';
import type { PanelFacts } from '../../protocol/panel/panel';
import { readSettings } from '../common/settings';
import { windowModels } from '../contributed/windowModels';
import type { ChosenMode } from './nextMode';
import type { ShownSession } from './shownSession';

/** What the settings say of the next task. */
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

/** What is true where there is no session. */
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

/** What is true of the window around the session that is shown. */
interface FactsBeside {
  /** Undefined while none is chosen. */
  readonly model: PanelFacts['model'];
  /** The mode that a person chose for the next task. */
  readonly instead: Partial<ChosenMode>;
  readonly sandbox: Pick<PanelFacts, 'sandbox'>;
}

/** What is true of the session that is shown, or of the next task where none is. */
export function shownFacts({ live, glance }: ShownSession, { model, instead, sandbox }: FactsBeside): PanelFacts {
  const chosen = model && { model };
  const next = { ...factsOfNext(), ...instead, ...sandbox };
  if (live) return { ...chosen, ...live.facts(next) };
  if (glance) return { ...chosen, ...glance.facts, ...sandbox };
  return { ...emptyFacts, ...next, ...chosen };
}
