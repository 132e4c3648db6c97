import * as vscode from 'vscode';
import { fieldsOffered, fieldUnder, valuesOffered, type CursorInFile } from '../../core/skills/fieldHelp';

const selector: vscode.DocumentSelector = [
  { scheme: 'file', pattern: '**/*.agent' },
  { scheme: 'file', pattern: '**/*.md' },
];

/** Completions and hovers for front matter fields in skill and instruction files. */
export class FrontMatterHelp implements vscode.CompletionItemProvider, vscode.HoverProvider, vscode.Disposable {
  private readonly registrations = [
    vscode.languages.registerCompletionItemProvider(selector, this),
    vscode.languages.registerHoverProvider(selector, this),
  ];

  provideCompletionItems(document: vscode.TextDocument, position: vscode.Position): vscode.CompletionItem[] {
    const writing = writingAt(document, position);
    const fields = fieldsOffered(writing).map(({ field: { name, words, example }, from, to, hasColon }) => {
      const item = new vscode.CompletionItem(name, vscode.CompletionItemKind.Property);
      item.documentation = words;
      item.insertText = hasColon ? name : new vscode.SnippetString().appendText(`${name}: `).appendPlaceholder(example);
      item.range = rangeInLine(position, from, to);
      return item;
    });
    const offered = valuesOffered(writing);
    const values = (offered?.values ?? []).map((value) => {
      const item = new vscode.CompletionItem(value, vscode.CompletionItemKind.Value);
      item.range = rangeInLine(position, offered!.from, offered!.to);
      return item;
    });
    return [...fields, ...values];
  }

  provideHover(document: vscode.TextDocument, position: vscode.Position): vscode.Hover | undefined {
    const under = fieldUnder(writingAt(document, position));
    return (
      under &&
      new vscode.Hover(
        new vscode.MarkdownString().appendText(under.field.words),
        rangeInLine(position, under.from, under.to),
      )
    );
  }

  dispose(): void {
    for (const registration of this.registrations) registration.dispose();
  }
}

const writingAt = (document: vscode.TextDocument, { line, character }: vscode.Position): CursorInFile => ({
  path: vscode.workspace.asRelativePath(document.uri, false),
  lines: document.getText().split(/\r?\n/),
  line,
  column: character,
});

const rangeInLine = ({ line }: vscode.Position, from: number, to: number): vscode.Range =>
  new vscode.Range(line, from, line, to);
