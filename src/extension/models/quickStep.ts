import * as vscode from 'vscode';

/** The user went back to the previous step. */
export const back = Symbol('back');
/** Undefined if the user closed the input. */
type StepReply<Value> = Value | typeof back | undefined;

/** Position of a step within a sequence. */
export interface StepPosition {
  readonly title: string;
  readonly step?: number;
  readonly of?: number;
  readonly canGoBack: boolean;
}

/** A row without a value is only informative and cannot be picked. */
export interface PickRow<Value> extends vscode.QuickPickItem {
  readonly value?: Value;
}

/** A line in a list with a label for the rows below it. */
export const separator = (label: string): vscode.QuickPickItem => ({ label, kind: vscode.QuickPickItemKind.Separator });

/**
 * Shows a list with a Back button. `fill` adds rows, immediately or later; `closed` is aborted when the list closes.
 * `typed` makes a value from text that matches no row.
 */
export async function pickStep<Value>(
  place: StepPosition,
  fill: (pick: vscode.QuickPick<PickRow<Value>>, closed: AbortSignal, done: (value: Value) => void) => void,
  typed?: (words: string) => Value,
): Promise<StepReply<Value>> {
  const pick = vscode.window.createQuickPick<PickRow<Value>>();
  pick.matchOnDescription = true;
  return answerOf<Value, vscode.QuickPick<PickRow<Value>>>(pick, place, (closed, done) => {
    pick.onDidAccept(() => {
      const words = pick.value.trim();
      const value = pick.selectedItems[0]?.value ?? (words === '' ? undefined : typed?.(words));
      if (value !== undefined) done(value);
    });
    fill(pick, closed, done);
  });
}

interface TextStep {
  readonly prompt: string;
  readonly placeholder?: string;
  readonly value?: string;
  /** The part of the value that is selected, so that typing replaces it. */
  readonly selection?: readonly [number, number];
  readonly password?: boolean;
  readonly buttons?: readonly { readonly icon: string; readonly tooltip: string; run(): void }[];
  /** Returns what is wrong with the text, in words for the user; undefined if it is valid. */
  problemWith(value: string): string | undefined;
}

/** Shows an input box with a Back button. Returns the trimmed text. */
export async function writeStep(
  place: StepPosition,
  { problemWith, buttons = [], ...writing }: TextStep,
): Promise<StepReply<string>> {
  const input = vscode.window.createInputBox();
  input.prompt = writing.prompt;
  input.placeholder = writing.placeholder;
  input.value = writing.value ?? '';
  if (writing.selection) input.valueSelection = writing.selection;
  input.password = writing.password ?? false;
  const own = buttons.map(({ icon, tooltip, run }) => ({ iconPath: new vscode.ThemeIcon(icon), tooltip, run }));
  return answerOf<string, vscode.InputBox>(input, place, (_closed, done) => {
    input.buttons = [...input.buttons, ...own];
    input.onDidTriggerButton((button) => own.find((each) => each === button)?.run());
    input.onDidChangeValue(() => {
      input.validationMessage = undefined;
    });
    input.onDidAccept(() => {
      const value = input.value.trim();
      input.validationMessage = problemWith(value);
      if (input.validationMessage === undefined) done(value);
    });
  });
}

/** Members that both kinds of quick input share. */
type Input = vscode.QuickInput & {
  buttons: readonly vscode.QuickInputButton[];
  onDidTriggerButton: vscode.Event<vscode.QuickInputButton>;
};

function answerOf<Value, Shown extends Input>(
  input: Shown,
  { title, step, of, canGoBack }: StepPosition,
  listen: (closed: AbortSignal, done: (value: Value) => void) => void,
): Promise<StepReply<Value>> {
  const closed = new AbortController();
  input.title = title;
  input.step = step;
  input.totalSteps = of;
  input.ignoreFocusOut = true;
  input.buttons = canGoBack ? [vscode.QuickInputButtons.Back] : [];
  return new Promise<StepReply<Value>>((resolve) => {
    input.onDidTriggerButton((button) => {
      if (button === vscode.QuickInputButtons.Back) resolve(back);
    });
    input.onDidHide(() => resolve(undefined));
    listen(closed.signal, resolve);
    input.show();
  }).finally(() => {
    closed.abort(new Error('The list was closed.'));
    input.dispose();
  });
}
