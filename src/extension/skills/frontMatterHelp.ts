import * as vscode from 'vscode';
import { fieldWords, type FieldWords } from '../../core/skills/fieldWords';
import { locationOf } from '../../core/skills/locations';

const selector: vscode.DocumentSelector = [{ scheme: 'file', pattern: '**/*.agent' }, { scheme: 'file', pattern: '**/*.md' }];

/** Completion and words for the fields of front matter, in the files that teach the agent. */
export class FrontMatterHelp implements vscode.CompletionItemProvider, vscode.HoverProvider, vscode.Disposable {
  private readonly registrations = [vscode.languages.registerCompletionItemProvider(selector, this), vscode.languages.registerHoverProvider(selector, this)];

  provideCompletionItems(document: vscode.TextDocument, position: vscode.Position): vscode.CompletionItem[] {
    if (!isInFrontMatter(document, position.line) || !/^[\w-]*$/.test(document.lineAt(position).text.slice(0, position.character))) return [];
    const taken = new Set(document.getText(new vscode.Range(1, 0, endOf(document), 0)).split('\n').map(line => /^([\w-]+):/.exec(line)?.[1]));
    return fieldsFor(document).filter(({ name }) => !taken.has(name)).map(({ name, words, example }) => {
      const item = new vscode.CompletionItem(name, vscode.CompletionItemKind.Property);
      item.documentation = words;
      item.insertText = new vscode.SnippetString().appendText(`${name}: `).appendPlaceholder(example);
      item.range = document.getWordRangeAtPosition(position, /[\w-]+/) ?? new vscode.Range(position, position);
      return item;
    });
  }

  provideHover(document: vscode.TextDocument, position: vscode.Position): vscode.Hover | undefined {
    if (!isInFrontMatter(document, position.line)) return undefined;
    const range = document.getWordRangeAtPosition(position, /^[\w-]+(?=:)/);
    const field = range && fieldsFor(document).find(({ name }) => name === document.getText(range));
    return field && new vscode.Hover(new vscode.MarkdownString().appendText(field.words), range);
  }

  dispose(): void { for (const registration of this.registrations) registration.dispose(); }
}

function fieldsFor({ uri }: vscode.TextDocument): FieldWords[] {
  const located = locationOf(vscode.workspace.asRelativePath(uri, false));
  return located ? fieldWords.filter(({ of }) => of.includes(located.location.reads)) : [];
}

const isInFrontMatter = (document: vscode.TextDocument, line: number): boolean => line > 0 && /^---\s*$/.test(document.lineAt(0).text) && line < endOf(document);

/** The line that closes the front matter; the end of the file while nothing does. */
function endOf(document: vscode.TextDocument): number {
  for (let line = 1; line < Math.min(document.lineCount, 500); line++) if (/^(?:---|\.\.\.)\s*$/.test(document.lineAt(line).text)) return line;
  return document.lineCount;
}
