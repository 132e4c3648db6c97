import * as vscode from 'vscode';
import { isStep, spansOf, type MarkedText, type Origin } from '../../core/trajectory/provenance';
import { knownTool } from '../../core/tools/toolsets';
import type { OpenSessions } from '../sessions/openSessions';
import { LineGutter, showsProvenance } from './lineGutter';
import { StepLookup, type FoundStep } from './stepLookup';
import { missingStepMarkdown, stepMarkdown } from './stepWords';
import type { WindowProvenance } from '../editor/windowProvenance';

/** Shows who wrote a line: hover, gutter, and commands that open the step. */
export class ProvenanceView implements vscode.HoverProvider, vscode.Disposable {
  private readonly steps: StepLookup;
  private readonly parts: vscode.Disposable[];

  constructor(
    private readonly provenance: WindowProvenance,
    sessions: OpenSessions,
  ) {
    this.steps = new StepLookup(sessions);
    this.parts = [vscode.languages.registerHoverProvider({ scheme: 'file' }, this), new LineGutter(provenance)];
  }

  async provideHover(document: vscode.TextDocument, { line }: vscode.Position): Promise<vscode.Hover | undefined> {
    if (showsProvenance() === 'off') return undefined;
    const origin = (await this.provenance.marksOf(document))?.origins[line];
    if (!isStep(origin)) return undefined;
    const found = await this.steps.find(origin);
    return new vscode.Hover(
      found ? stepMarkdown(found, commandOfStep(found)) : missingStepMarkdown(),
      document.lineAt(line).range,
    );
  }

  /**
   * Returns the step that a hover named, or the step of the line with the cursor. Throws an `Error` with a message for
   * people if there is none.
   */
  async stepAt(named?: unknown): Promise<FoundStep> {
    if (isNamed(named)) return this.findStep(named);
    const { editor, marks } = await this.marksHere();
    const origin = marks.origins[editor.selection.active.line];
    const line = editor.selection.active.line + 1;
    if (origin === 'person')
      throw new Error(vscode.l10n.t('No step wrote line {0}. A person typed or changed it.', line));
    if (!isStep(origin))
      throw new Error(
        vscode.l10n.t('No known step wrote line {0}. It is older than the log, or another program wrote it.', line),
      );
    return this.findStep(origin);
  }

  /** Opens the list of lines. Resolves to the chosen step. */
  async blame(): Promise<FoundStep | undefined> {
    const { editor, marks } = await this.marksHere();
    const found = new Map<Origin, FoundStep>();
    for (const { origin } of spansOf(marks)) {
      const step = isStep(origin) && !found.has(origin) ? await this.steps.find(origin) : undefined;
      if (step) found.set(origin, step);
    }
    return (await import('./agentBlame')).agentBlame(editor, marks, found);
  }

  dispose(): void {
    for (const part of this.parts) part.dispose();
  }

  private async findStep(origin: Origin): Promise<FoundStep> {
    const found = isStep(origin) ? await this.steps.find(origin) : undefined;
    if (!found)
      throw new Error(
        vscode.l10n.t(
          'The agent wrote this line, but its session was not found. It was deleted, or belongs to a workspace with other folders.',
        ),
      );
    return found;
  }

  private async marksHere(): Promise<{ editor: vscode.TextEditor; marks: MarkedText }> {
    const editor = vscode.window.activeTextEditor;
    if (!vscode.workspace.isTrusted)
      throw new Error(
        vscode.l10n.t(
          'Waymark shows who wrote a line only in trusted folders. Trust this folder (“Manage Workspace Trust”), then try again.',
        ),
      );
    if (!editor) throw new Error(vscode.l10n.t('No file is open. Open a file first.'));
    const marks = await this.provenance.marksOf(editor.document);
    if (!marks)
      throw new Error(
        vscode.l10n.t(
          'No lines in {0} are known to be written by the agent.',
          vscode.workspace.asRelativePath(editor.document.uri),
        ),
      );
    return { editor, marks };
  }
}

function isNamed(value: unknown): value is Exclude<Origin, string> {
  return (
    typeof value === 'object' &&
    value !== null &&
    'session' in value &&
    'action' in value &&
    typeof value.session === 'string' &&
    typeof value.action === 'string'
  );
}

/** Returns the command that a step ran, or undefined. */
function commandOfStep({ action }: FoundStep): string | undefined {
  try {
    return knownTool(action.tool)?.bind(action.input).touches.command;
  } catch {
    return undefined; // written by another version with an unknown input format
  }
}
