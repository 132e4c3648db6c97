import * as vscode from 'vscode';
import { isStep, spansOf, type MarkedText, type Origin } from '../../core/trajectory/provenance';
import { dateAndTime } from '../common/dateAndTime';
import type { FoundStep } from './stepLookup';
import { stepName, stepSummary } from './stepWords';

interface Row extends vscode.QuickPickItem {
  readonly range?: vscode.Range;
  readonly found?: FoundStep;
}

/**
 * Lists the lines of a file, one row per range with the same origin. Moving through the rows highlights the lines in
 * the editor. Enter opens the step, or goes to the line if there is none. Escape restores the selection. `steps`: those
 * that were found, by their origin in `marks`. Resolves to the chosen step.
 */
export async function agentBlame(
  editor: vscode.TextEditor,
  marks: MarkedText,
  steps: ReadonlyMap<Origin, FoundStep>,
): Promise<FoundStep | undefined> {
  const before = { selections: editor.selections, range: editor.visibleRanges[0] };
  const lines = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('editor.rangeHighlightBackground'),
    border: '1px dotted',
    borderColor: new vscode.ThemeColor('contrastActiveBorder'),
  });
  const picker = vscode.window.createQuickPick<Row>();
  const toLine: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('go-to-file'),
    tooltip: vscode.l10n.t('Go to the line'),
  };
  const name = vscode.workspace.asRelativePath(editor.document.uri);
  const written = marks.origins.filter(isStep).length;
  picker.title = vscode.l10n.t('Agent Blame: {0}', name);
  picker.placeholder = vscode.l10n.t(
    'The agent wrote {0} of {1} lines. Press Enter to show the step.',
    written,
    marks.lines.length,
  );
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  picker.items = rowsOf(editor.document, marks, steps).map((row) => ({ ...row, buttons: [toLine] }));
  const show = (row: Row | undefined): void => {
    editor.setDecorations(lines, row?.range ? [row.range] : []);
    if (row?.range) editor.revealRange(row.range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  };
  const at = editor.selection.active.line;
  const here = picker.items.find(({ range }) => range?.contains(new vscode.Position(at, 0)));
  if (here) picker.activeItems = [here];
  try {
    return await new Promise<FoundStep | undefined>((resolve) => {
      let chosen: Row | undefined;
      const choose = (row: Row | undefined, step: FoundStep | undefined): void => {
        chosen = row;
        if (row?.range && !step) editor.selection = new vscode.Selection(row.range.start, row.range.start);
        resolve(step);
        picker.hide();
      };
      picker.onDidChangeActive(([row]) => show(row));
      picker.onDidAccept(() => choose(picker.activeItems[0], picker.activeItems[0]?.found));
      picker.onDidTriggerItemButton(({ item }) => choose(item, undefined));
      picker.onDidHide(() => {
        if (!chosen) {
          editor.selections = before.selections;
          if (before.range) editor.revealRange(before.range, vscode.TextEditorRevealType.AtTop);
        }
        resolve(undefined);
      });
      picker.show();
    });
  } finally {
    picker.dispose();
    lines.dispose();
  }
}

function rowsOf(document: vscode.TextDocument, marks: MarkedText, steps: ReadonlyMap<Origin, FoundStep>): Row[] {
  return spansOf(marks)
    .filter(({ from }) => from < document.lineCount)
    .map(({ from, to, origin }) => {
      const range = document.validateRange(new vscode.Range(from, 0, to - 1, Number.MAX_SAFE_INTEGER));
      const numbers = to - from === 1 ? `${from + 1}` : `${from + 1}–${to}`;
      const text =
        Array.from({ length: to - from }, (_, at) =>
          document.lineAt(Math.min(from + at, document.lineCount - 1)).text.trim(),
        ).find((line) => line !== '') ?? '';
      const base = { range, detail: escapeIcons(text.slice(0, 160)) || ' ' };
      if (origin === 'person')
        return {
          ...base,
          label: `${numbers}  ${vscode.l10n.t('A person')}`,
          iconPath: new vscode.ThemeIcon('account'),
        };
      if (origin === 'unknown')
        return {
          ...base,
          label: `${numbers}  ${vscode.l10n.t('Not written by Waymark')}`,
          iconPath: new vscode.ThemeIcon('circle-outline'),
        };
      const found = steps.get(origin);
      const icon = { iconPath: new vscode.ThemeIcon('sparkle') };
      if (!found)
        return {
          ...base,
          ...icon,
          label: `${numbers}  ${vscode.l10n.t('The agent, in a session that was not found')}`,
        };
      return {
        ...base,
        ...icon,
        found,
        label: `${numbers}  ${escapeIcons(stepSummary(found))}`,
        description: escapeIcons(`${stepName(found)} · ${dateAndTime(found.at)}`),
      };
    });
}

/** Escapes the syntax for icons. */
const escapeIcons = (text: string): string => text.replaceAll('$(', '$\u200b(');
