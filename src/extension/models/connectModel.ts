import * as vscode from 'vscode';
import type { Model } from '../../core/ports/model';
import type { Provider } from '../../core/model/providers/provider';
import type { ModelConnection } from './connection';
import { keyStep } from './keyStep';
import { modelStep } from './modelStep';
import { back, type StepPosition, writeStep } from './quickStep';
import { trial, type TrialOutcome } from './trial';

/** What the connection steps need from the window. */
interface Connecting {
  readonly secrets: vscode.SecretStorage;
  /** Returns the model of a connection, without retries. */
  createModel(connection: ModelConnection): Promise<Model>;
  /** Returns the additional headers of the settings. Gateways also need them for listing models. */
  headers(): Promise<Readonly<Record<string, string>>>;
}

/** A connection that the user accepted. */
export interface Connected {
  readonly connection: ModelConnection;
  readonly outcome: Extract<TrialOutcome, 'works' | 'use' | 'use_text'>;
}

type Step = 'address' | 'key' | 'model' | 'trial';

/** Returns a new connection to a listed provider, or to any OpenAI-compatible server if undefined. */
export function connectionTo(provider: Provider | undefined, baseUrl = provider?.baseUrl ?? ''): ModelConnection {
  return { ...(provider && { provider }), baseUrl, key: undefined, search: '', model: '' };
}

/**
 * Asks for the address, key and model that are missing, and tries the model. Typed values are kept when the user goes
 * back and forth. Returns `back` if the user goes back from the first step.
 */
export async function connectModel(
  connection: ModelConnection,
  connecting: Connecting,
): Promise<Connected | typeof back | undefined> {
  const { provider } = connection;
  const steps: Step[] = [
    ...(provider === undefined || hasPlaceholder(connection.baseUrl) ? ['address' as const] : []),
    ...(provider === undefined || provider.keyVariables.length > 0 ? ['key' as const] : []),
    'model',
    'trial',
  ];
  // A local model was already picked in the first list.
  let at: Step = connection.model === '' ? steps[0]! : 'trial';
  for (;;) {
    const nextStep = await takeStep(at, connection, connecting, stepPosition(at, steps));
    if (nextStep === undefined) return undefined;
    if (nextStep === back) {
      // A step that was only added because of a problem comes before the list of models.
      const before = steps[(steps.includes(at) ? steps.indexOf(at) : steps.indexOf('model')) - 1];
      if (before === undefined) return back;
      at = before;
    } else if (nextStep === 'next') at = steps[steps.indexOf(at) + 1] ?? 'model';
    else if (nextStep === 'models') at = 'model';
    else if (nextStep === 'again') at = 'trial';
    else if (nextStep === 'key' || nextStep === 'address') at = nextStep;
    else return { connection, outcome: nextStep };
  }
}

/**
 * Placeholder in a listed address that the user must replace, such as RESOURCE in "https://RESOURCE.openai.azure.com".
 */
const placeholder = /(?<=[/.])[A-Z]{4,}(?=[/.])/;

/** Returns whether a listed address contains a placeholder. */
const hasPlaceholder = (baseUrl: string): boolean => placeholder.test(baseUrl);

/** Asks for the address of the server. */
async function addressStep(
  connection: ModelConnection,
  place: StepPosition,
): Promise<'next' | typeof back | undefined> {
  const { baseUrl, provider } = connection;
  const open = placeholder.exec(baseUrl);
  const address = await writeStep(
    {
      ...place,
      title: provider ? vscode.l10n.t('Address of {0}', provider.name) : vscode.l10n.t('Address of the model server'),
    },
    {
      prompt: open
        ? vscode.l10n.t('Replace {0} with your own name.', open[0])
        : vscode.l10n.t('The part before /chat/completions'),
      placeholder: 'https://api.openai.com/v1',
      value: baseUrl,
      ...(open && { selection: [open.index, open.index + open[0].length] }),
      problemWith: wrongAddress,
    },
  );
  if (typeof address !== 'string') return address;
  if (address !== baseUrl) connection.listed = undefined;
  // A key is only used for the server for which it was entered.
  if (URL.canParse(baseUrl) && new URL(address).origin !== new URL(baseUrl).origin) connection.key = undefined;
  connection.baseUrl = address;
  return 'next';
}

function wrongAddress(value: string): string | undefined {
  if (!/^https?:\/\/[^\s@]+$/.test(value) || !URL.canParse(value)) {
    return vscode.l10n.t('Enter an address that starts with https:// or http://, without a user name.');
  }
  const open = placeholder.exec(value);
  return open ? vscode.l10n.t('Replace {0} with your own name.', open[0]) : undefined;
}

type StepResult = 'next' | TrialOutcome | typeof back | undefined;

function takeStep(
  step: Step,
  connection: ModelConnection,
  connecting: Connecting,
  place: StepPosition,
): Promise<StepResult> {
  switch (step) {
    case 'address':
      return addressStep(connection, place);
    case 'key':
      return keyStep(connection, connecting.secrets, place);
    case 'model':
      return modelStep(connection, () => connecting.headers(), place);
    case 'trial':
      return trial(connection.model, place, () => connecting.createModel(connection));
  }
}

/** Returns the position of a step. Choosing the provider counts as the first step; the trial is not counted. */
function stepPosition(step: Step, steps: readonly Step[]): StepPosition {
  const index = steps.indexOf(step);
  return index < 0 || step === 'trial'
    ? { title: '', canGoBack: true }
    : { title: '', step: index + 2, of: steps.length, canGoBack: true };
}
