import * as vscode from 'vscode';
import { checkModel, type ModelReport } from '../../core/model/checkModel';
import { ModelProblem, type Model } from '../../core/ports/model';
import { back, pickStep, type StepPosition } from './quickStep';
import { errorMessage } from '../../core/text/errorMessage';

/** Result of a trial: accept the model, accept it with a profile that needs no tools, or change something first. */
export type TrialOutcome = 'works' | 'use' | 'use_text' | 'again' | 'models' | 'key' | 'address';

/** Profile for models without tool calls. */
export const textProfile = 'mini-text';

/** Asks the model for one short reply with a tool call. If that fails, shows why and what can be done. */
export async function trial(
  name: string,
  place: StepPosition,
  createModel: () => Promise<Model>,
): Promise<TrialOutcome> {
  const report = await pickStep<ModelReport | 'use'>(
    { ...place, title: vscode.l10n.t('Trying {0}', name) },
    (pick, closed, done) => {
      pick.busy = true;
      pick.placeholder = vscode.l10n.t(
        'One small request tests the key, the model and its tools. Press Esc to go back.',
      );
      pick.items = [
        { label: `$(loading~spin) ${vscode.l10n.t('Waiting for {0}…', name)}` },
        { label: `$(debug-step-over) ${vscode.l10n.t('Use it without waiting')}`, value: 'use' },
      ];
      void createModel()
        .then((model) => checkModel(model, closed))
        .then(done, (error: unknown) => {
          if (!closed.aborted) done({ model: name, provider: '', findings: [], problem: asProblem(error) });
        });
    },
  );
  if (report === undefined || report === back) return 'models';
  return report === 'use' ? 'use' : outcomeOf(name, report);
}

async function outcomeOf(name: string, { problem, findings }: ModelReport): Promise<TrialOutcome> {
  if (problem) return askAbout(problem);
  const tools = findings.find(({ item }) => item === 'tools');
  if (tools?.state !== 'no') return 'works';
  const why = tools.words.split(' A profile')[0]!;
  const what = vscode.l10n.t('{0} answers but does not call tools.', name);
  const next = vscode.l10n.t(
    'Waymark needs a model with tool support. Choose another model, or use this one with the profile “{0}”, which reads commands from its text.',
    textProfile,
  );
  return askWithDialog(what, `${why}\n\n${next}`, [
    [vscode.l10n.t('Choose Another Model'), 'models'],
    [vscode.l10n.t('Use with {0}', textProfile), 'use_text'],
    [vscode.l10n.t('Use Anyway'), 'use'],
  ]);
}

function asProblem(error: unknown): ModelProblem {
  if (error instanceof ModelProblem) return error;
  return new ModelProblem('invalid_request', {
    what: vscode.l10n.t('The test failed.'),
    why: errorMessage(error),
    next: '',
  });
}

type Choice = readonly [words: string, outcome: TrialOutcome];

/** Asks what to do about a failed trial, with the most helpful choice first. */
function askAbout({ kind, what, why, next }: ModelProblem): Promise<TrialOutcome> {
  const otherModel: Choice = [vscode.l10n.t('Choose Another Model'), 'models'];
  const otherKey: Choice = [vscode.l10n.t('Change Key'), 'key'];
  const anyway: Choice = [vscode.l10n.t('Use Anyway'), 'use'];
  const again: Choice = [vscode.l10n.t('Try Again'), 'again'];
  // For these problems the buttons themselves are the remedy.
  if (kind === 'authentication') return askWithDialog(what, why, [otherKey, otherModel, anyway]);
  if (kind === 'not_found')
    return askWithDialog(what, why, [otherModel, [vscode.l10n.t('Change Address'), 'address'], anyway]);
  return askWithDialog(what, [why, next].filter(Boolean).join('\n\n'), [again, otherModel, anyway]);
}

/**
 * Shows a modal dialog, which displays long messages in full and has keyboard access to its buttons. Closing it returns
 * to the list of models.
 */
async function askWithDialog(what: string, detail: string, choices: readonly Choice[]): Promise<TrialOutcome> {
  const picked = await vscode.window.showWarningMessage(
    what,
    { modal: true, detail },
    ...choices.map(([words]) => words),
  );
  return choices.find(([words]) => words === picked)?.[1] ?? 'models';
}
