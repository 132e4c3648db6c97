import * as vscode from 'vscode';
import { isStep, spansOf } from '../../core/trajectory/provenance';
import type { WindowProvenance } from '../editor/windowProvenance';
import { interfaceSettings } from '../../core/settings/groups/interface';

const waitMs = 250;

/** Marks lines that the agent wrote with a bar in the gutter, while the setting is "on". */
export class LineGutter implements vscode.Disposable {
  private readonly bar = vscode.window.createTextEditorDecorationType({
    overviewRulerLane: vscode.OverviewRulerLane.Left,
    overviewRulerColor: new vscode.ThemeColor('charts.purple'),
    dark: { gutterIconPath: barOf('#b180d7') },
    light: { gutterIconPath: barOf('#652d90') },
    gutterIconSize: 'contain',
  });
  private readonly listening: vscode.Disposable[];
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly provenance: WindowProvenance) {
    const later = (): void => {
      this.timer ??= setTimeout(() => void this.draw(), waitMs);
    };
    this.listening = [
      vscode.window.onDidChangeVisibleTextEditors(later),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document.uri.scheme === 'file') later();
      }),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('waymark.provenance')) later();
      }),
      provenance.onDidChange(later),
    ];
    later();
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const each of [...this.listening, this.bar]) each.dispose();
  }

  private async draw(): Promise<void> {
    this.timer = undefined;
    const shown = showsProvenance() === 'on';
    for (const editor of vscode.window.visibleTextEditors) {
      const { document } = editor;
      const { version } = document;
      const marks = shown ? await this.provenance.marksOf(document) : undefined;
      if (document.version !== version) continue; // the change triggers another update
      editor.setDecorations(
        this.bar,
        marks
          ? spansOf(marks)
              .filter(({ origin }) => isStep(origin))
              .map(({ from, to }) => new vscode.Range(from, 0, to - 1, 0))
          : [],
      );
    }
  }
}

const barOf = (colour: string): vscode.Uri =>
  vscode.Uri.parse(
    `data:image/svg+xml;base64,${Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect x="7" width="3" height="16" fill="${colour}"/></svg>`).toString('base64')}`,
  );

/**
 * Returns how much of a line's origin is shown automatically; the commands always show it. Reads the setting without
 * its schema, which is loaded later.
 */
export function showsProvenance(): 'off' | 'onHover' | 'on' {
  const value = vscode.workspace.getConfiguration('waymark').get('provenance');
  return value === 'off' || value === 'on' ? value : interfaceSettings.provenance.default;
}
