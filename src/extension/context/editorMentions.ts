import * as vscode from 'vscode';
import { mentionOfKind, symbolIn } from '../../core/context/mentions';
import { matchingRules, secretReads } from '../../core/risk/pathRules';
import { splitLines, numberedLines } from '../../core/text/numberedLines';
import { problemLine } from '../editor/problemLine';
import { realPathOfExistingPart } from '../editor/editorUri';
import type { ContextSources } from './contextSources';
import { refuseSecret, trustFor } from './fileMention';
import type { MentionKind } from './mentionKind';

const maxProblems = 200;
const timeoutMs = 5_000;

/** The selection in the editor. */
export const selectionMention: MentionKind = {
  offer: () => ({
    label: '@selection',
    detail: vscode.l10n.t('The selection in the editor'),
    insert: '@selection',
    icon: 'list-selection',
  }),
  async resolve(mention, { paths, activeEditor }) {
    const editor = activeEditor();
    if (!editor || editor.selection.isEmpty)
      throw new Error(vscode.l10n.t('Nothing is selected in the editor. Select something, or remove @selection.'));
    const shown = paths.display(realPathOfExistingPart(editor.document.uri.fsPath));
    refuseSecret(shown);
    if (vscode.workspace.getWorkspaceFolder(editor.document.uri)) paths.resolve(shown, 'read');
    const { from, to } = linesSelected(editor);
    return {
      label: `${mention.written}: lines ${from}-${to} of ${shown}`,
      text: selectedText(editor),
      source: shown,
      trust: trustFor(shown),
    };
  },
};

/** Errors and warnings of the Problems panel: all of them, or those of a file or folder. */
export const problemsMention: MentionKind = {
  offer: () => ({
    label: '@problems',
    detail: vscode.l10n.t('The Problems panel; for one file: @problems:src/a.ts'),
    insert: '@problems',
    icon: 'warning',
  }),
  resolve: ({ argument, written }, { paths }) => {
    const all = vscode.languages
      .getDiagnostics()
      .map(([uri, found]) => ({
        uri,
        found,
        shown: uri.scheme === 'file' ? paths.display(realPathOfExistingPart(uri.fsPath)) : uri.toString(),
      }))
      .filter(({ uri, shown }) => mayShareFile(uri, shown, paths))
      .flatMap(({ found, shown }) => found.map((problem) => ({ shown, problem })));
    const wanted = all.filter(
      ({ shown, problem }) =>
        problem.severity <= vscode.DiagnosticSeverity.Warning &&
        (argument === '' || shown === argument || shown.startsWith(`${argument.replace(/\/$/, '')}/`)),
    );
    const lines = wanted.slice(0, maxProblems).map(({ shown, problem }) => problemLine(shown, problem));
    const more = wanted.length > maxProblems ? [`[${wanted.length - maxProblems} more]`] : [];
    return Promise.resolve({
      label: `${written}: ${wanted.length} errors and warnings`,
      text: [...lines, ...more].join('\n') || 'There are none.',
      source: 'the Problems panel',
      trust: 'project',
    });
  },
};

/** A function, class or variable by its name. */
export const symbolMention: MentionKind = {
  offer: () => ({
    label: '@symbol',
    detail: vscode.l10n.t('A function, class or variable'),
    insert: '@symbol:',
    icon: 'symbol-method',
    goesOn: true,
  }),
  async complete(query, sources) {
    const found = query === '' ? [] : await symbols(query, sources);
    return found
      .filter(({ uri, shown }) => mayShareFile(uri, shown, sources.paths))
      .slice(0, 20)
      .map(({ name, shown }) => ({
        label: name,
        detail: shown,
        insert: mentionOfKind('symbol', `${shown}#${name}`),
        icon: 'symbol-method',
      }));
  },
  async resolve({ argument, written }, sources) {
    const { name, path: wantedIn } = symbolIn(argument);
    const found = (await symbols(name, sources)).find(
      (each) => each.name === name && (wantedIn === undefined || each.shown === wantedIn),
    );
    if (!found)
      throw new Error(
        vscode.l10n.t(
          'Symbol “{0}” not found. The language may be unsupported, or its extension is still loading. Try again in a moment, or mention the file.',
          argument,
        ),
      );
    refuseSecret(found.shown);
    if (vscode.workspace.getWorkspaceFolder(found.uri)) sources.paths.resolve(found.shown, 'read');
    const document = await vscode.workspace.openTextDocument(found.uri);
    const range = (await wholeRange(found)) ?? found.range;
    const lines = splitLines(document.getText()).slice(range.start.line, range.end.line + 1);
    return {
      label: `${written}: lines ${range.start.line + 1}-${range.end.line + 1} of ${found.shown}`,
      text: numberedLines(lines, range.start.line + 1),
      source: found.shown,
      trust: trustFor(found.shown),
    };
  },
};

/** Returns false for a file that .agentignore excludes or that usually contains secrets. */
export function mayShareFile(uri: vscode.Uri, shown: string, paths: ContextSources['paths']): boolean {
  if (matchingRules(shown, secretReads).length > 0) return false;
  if (!vscode.workspace.getWorkspaceFolder(uri)) return true;
  try {
    paths.resolve(shown, 'read');
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the answer of a language server, or undefined if it fails or does not answer in time. A message must not wait
 * for a server that hangs.
 */
async function answerInTime<Answer>(answer: Thenable<Answer>): Promise<Answer | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), timeoutMs);
  });
  try {
    return await Promise.race([answer, late]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

interface FoundSymbol {
  readonly name: string;
  readonly shown: string;
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
}

async function symbols(query: string, { paths }: ContextSources): Promise<FoundSymbol[]> {
  const found =
    (await answerInTime(
      vscode.commands.executeCommand<vscode.SymbolInformation[] | undefined>(
        'vscode.executeWorkspaceSymbolProvider',
        query,
      ),
    )) ?? [];
  return found
    .filter(({ location }) => location.uri.scheme === 'file')
    .map(({ name, location }) => ({
      name: name.replace(/^([^(]*)\(.*\)$/s, '$1'),
      shown: paths.display(realPathOfExistingPart(location.uri.fsPath)),
      uri: location.uri,
      range: location.range,
    }));
}

/**
 * Returns the whole range of a symbol from the outline of its file. The workspace symbol provider may return only the
 * position of the name.
 */
async function wholeRange({ uri, name, range }: FoundSymbol): Promise<vscode.Range | undefined> {
  const outline =
    (await answerInTime(
      vscode.commands.executeCommand<(vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined>(
        'vscode.executeDocumentSymbolProvider',
        uri,
      ),
    )) ?? [];
  const rangeAmong = (
    symbols: readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[],
  ): vscode.Range | undefined => {
    for (const symbol of symbols) {
      if (!('children' in symbol)) continue;
      if (symbol.name.startsWith(name) && symbol.range.contains(range.start)) return symbol.range;
      const inner = rangeAmong(symbol.children);
      if (inner) return inner;
    }
    return undefined;
  };
  return rangeAmong(outline);
}

/**
 * Returns the selected lines, counted from 1 and inclusive. A line of which only the start is selected does not count.
 */
export function linesSelected({ selection: { start, end } }: vscode.TextEditor): { from: number; to: number } {
  const to = end.character === 0 && end.line > start.line ? end.line : end.line + 1;
  return { from: start.line + 1, to };
}

/** Returns the text of the selected lines, with line numbers. */
export function selectedText(editor: vscode.TextEditor): string {
  const { from, to } = linesSelected(editor);
  return numberedLines(splitLines(editor.document.getText()).slice(from - 1, to), from);
}
