import * as vscode from 'vscode';
import {
  elicitedValue,
  type Elicitation,
  type ElicitedField,
  type ElicitedValue,
  type Elicited,
} from '../../core/mcp/elicitation';

type FieldValue = string | readonly string[];
/** The user went back to the previous value. */
const back = Symbol('back');

/**
 * Asks the user for what a server requests, one value at a time. The server gets nothing before the last value is
 * entered. Closing an input cancels the request.
 */
export async function elicit(question: Elicitation, server: string, signal: AbortSignal): Promise<Elicited> {
  const { fields } = question;
  const title = vscode.l10n.t('The MCP server {0} asks you', oneLine(server));
  const answers: (FieldValue | undefined)[] = [];
  for (let at = -1; at < fields.length;) {
    if (at < 0) {
      const does = await begin(question, title, signal);
      if (does !== 'accept') return { action: does ?? 'cancel' };
      at++;
      continue;
    }
    const value = await askField(
      fields[at]!,
      { title, step: at + 1, of: fields.length, message: question.message, before: answers[at] },
      signal,
    );
    if (value === undefined) return { action: 'cancel' };
    if (value === back) {
      at--;
      continue;
    }
    answers[at++] = value;
  }
  const content = fields.flatMap((field, index): [string, ElicitedValue][] => {
    const value = elicitedValue(field, answers[index]!);
    return value === undefined ? [] : [[field.name, value]];
  });
  return { action: 'accept', content: Object.fromEntries(content) };
}

/** Returns what accepting a request means. */
function acceptDetail(fields: Elicitation['fields']): string {
  const asked = fields.map((field) => oneLine(field.title)).join(', ');
  if (fields.some((field) => field.secret))
    return vscode.l10n.t('It asks for a likely secret: {0}. Your answer is sent to the server.', asked);
  if (fields.length === 0) return vscode.l10n.t('Accepts the server’s request.');
  return vscode.l10n.t('Asks for: {0}', asked);
}

/**
 * Asks whether to answer at all. Declining comes first, and typed text picks nothing: the question may appear while the
 * user is typing elsewhere.
 */
async function begin(
  { message, fields }: Elicitation,
  title: string,
  signal: AbortSignal,
): Promise<'accept' | 'decline' | undefined> {
  const secret = fields.some((field) => field.secret);
  const pick = vscode.window.createQuickPick<vscode.QuickPickItem & { does: 'accept' | 'decline' }>();
  pick.items = [
    {
      label: vscode.l10n.t('Do Not Answer'),
      detail: vscode.l10n.t('Declines the server’s request.'),
      does: 'decline',
    },
    {
      label: fields.length === 0 ? vscode.l10n.t('Yes') : vscode.l10n.t('Answer…'),
      does: 'accept',
      detail: acceptDetail(fields),
      ...(secret && { iconPath: new vscode.ThemeIcon('warning') }),
    },
  ];
  Object.assign(pick, { title, placeholder: oneLine(message), ignoreFocusOut: true });
  return showInput(pick, signal, (done) =>
    pick.onDidAccept(() => {
      if (pick.value === '') done(pick.selectedItems[0]?.does);
      else pick.value = '';
    }),
  );
}

interface Place {
  readonly title: string;
  readonly step: number;
  readonly of: number;
  readonly message: string;
  readonly before: FieldValue | undefined;
}

function askField(
  field: ElicitedField,
  place: Place,
  signal: AbortSignal,
): Promise<FieldValue | typeof back | undefined> {
  return field.kind === 'one' || field.kind === 'several' || field.kind === 'yes_no'
    ? askChoice(field, place, signal)
    : askText(field, place, signal);
}

function askChoice(
  field: ElicitedField,
  { before, ...place }: Place,
  signal: AbortSignal,
): Promise<FieldValue | typeof back | undefined> {
  const { kind, required } = field;
  const options =
    kind === 'yes_no'
      ? [
          { value: 'true', label: vscode.l10n.t('Yes') },
          { value: 'false', label: vscode.l10n.t('No') },
        ]
      : field.options;
  const pick = vscode.window.createQuickPick<vscode.QuickPickItem & { value: string }>();
  pick.items = [
    ...options.map(({ value, label }) => ({ label: oneLine(label), value })),
    ...(required || kind === 'several' ? [] : [{ label: vscode.l10n.t('Leave Empty'), value: '' }]),
  ];
  const chosen = before ?? field.fallback ?? [];
  const preset = pick.items.filter(
    ({ value }) => chosen === value || (typeof chosen !== 'string' && chosen.includes(value)),
  );
  Object.assign(pick, {
    title: place.title,
    step: place.step,
    totalSteps: place.of,
    ignoreFocusOut: true,
    placeholder: describeField(field),
    canSelectMany: kind === 'several',
    buttons: [vscode.QuickInputButtons.Back],
  });
  if (kind === 'several') pick.selectedItems = preset;
  else if (preset.length > 0) pick.activeItems = preset;
  return showInput(pick, signal, (done) => {
    pick.onDidTriggerButton(() => done(back));
    pick.onDidAccept(() => {
      const values = pick.selectedItems.map(({ value }) => value);
      const answer = kind === 'several' ? values : values[0];
      const wrong = answer === undefined ? '' : wrongWith(field, answer);
      if (wrong !== undefined) pick.title = `${place.title}: ${wrong}`;
      else done(answer);
    });
  });
}

function askText(
  field: ElicitedField,
  { before, ...place }: Place,
  signal: AbortSignal,
): Promise<FieldValue | typeof back | undefined> {
  const input = vscode.window.createInputBox();
  const value = before ?? field.fallback;
  Object.assign(input, {
    title: place.title,
    step: place.step,
    totalSteps: place.of,
    ignoreFocusOut: true,
    password: field.secret,
    prompt: describeField(field),
    placeholder: oneLine(place.message),
    buttons: [vscode.QuickInputButtons.Back],
    ...(typeof value === 'string' && { value }),
  });
  return showInput(input, signal, (done) => {
    input.onDidTriggerButton(() => done(back));
    input.onDidChangeValue(() => {
      input.validationMessage = undefined;
    });
    input.onDidAccept(() => {
      input.validationMessage = wrongWith(field, input.value);
      if (input.validationMessage === undefined) done(input.value);
    });
  });
}

function wrongWith(field: ElicitedField, value: FieldValue): string | undefined {
  try {
    elicitedValue(field, value);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Shows an input until `done` is called, the user closes it or the signal is aborted. */
function showInput<Value>(
  input: vscode.QuickInput,
  signal: AbortSignal,
  listen: (done: (value: Value | undefined) => void) => void,
): Promise<Value | undefined> {
  const close = (): void => input.hide();
  return new Promise<Value | undefined>((resolve) => {
    listen(resolve);
    input.onDidHide(() => resolve(undefined));
    signal.addEventListener('abort', close, { once: true });
    input.show();
    if (signal.aborted) close();
  }).finally(() => {
    signal.removeEventListener('abort', close);
    input.dispose();
  });
}

const describeField = ({ title, description, required }: ElicitedField): string =>
  [oneLine(title), oneLine(description), required ? '' : vscode.l10n.t('(optional)')].filter(Boolean).join(' – ');
const oneLine = (words: string): string => words.replace(/\s+/g, ' ').trim();
