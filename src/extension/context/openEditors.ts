import * as vscode from 'vscode';
import type { Found } from '../../core/context/contextPart';
import { mentionOfPath } from '../../core/context/mentions';
import { realPathOfExistingPart } from '../editor/editorUri';
import type { ContextSources } from './contextSources';
import { linesSelected, mayShareFile, selectedText } from './editorMentions';
import { trustFor } from './fileMention';
import { openFiles } from './activeEditor';

/** Maximum number of other open files sent by name. For the rest, the model gets only their number. */
const maxNamed = 30;

/**
 * Returns what is open or selected in the active editor, or undefined if it must not be sent. `words` is the label of
 * its chip.
 */
export function openEditor({
  paths,
  activeEditor,
}: ContextSources): { readonly words: string; findEditors(): Found } | undefined {
  const editor = activeEditor();
  if (!editor || editor.document.uri.scheme !== 'file') return undefined;
  const shown = paths.display(realPathOfExistingPart(editor.document.uri.fsPath));
  if (!mayShareFile(editor.document.uri, shown, paths)) return undefined;
  if (trustFor(shown) === 'others' && !vscode.workspace.getWorkspaceFolder(editor.document.uri)) return undefined;
  const { from, to } = linesSelected(editor);
  if (editor.selection.isEmpty)
    return {
      words: shown,
      findEditors: () => ({
        label: `Open in the editor: ${shown}`,
        text: `The cursor is in line ${from}.`,
        source: shown,
        trust: 'project',
      }),
    };
  return {
    words: mentionOfPath(shown, { from, to }).slice(1),
    findEditors: () => ({
      label: `Selected in the editor: lines ${from}-${to} of ${shown}`,
      text: selectedText(editor),
      source: shown,
      trust: trustFor(shown),
    }),
  };
}

/**
 * Returns the names of the other open files of the workspace, without duplicates; undefined if there are none that may
 * be sent.
 */
export function otherEditors({
  paths,
  activeEditor,
}: ContextSources): { readonly names: readonly string[]; findEditors(): Found } | undefined {
  const active = activeEditor()?.document.uri.toString();
  const listed = openFiles()
    .filter((uri) => uri.toString() !== active && vscode.workspace.getWorkspaceFolder(uri))
    .map((uri) => ({ uri, shown: paths.display(realPathOfExistingPart(uri.fsPath)) }))
    .filter(({ uri, shown }) => mayShareFile(uri, shown, paths));
  const names = [...new Set(listed.map(({ shown }) => shown))];
  if (names.length === 0) return undefined;
  const more = names.length > maxNamed ? [`[${names.length - maxNamed} more]`] : [];
  return {
    names,
    findEditors: () => ({
      label: `Open in other tabs: ${names.length === 1 ? '1 file' : `${names.length} files`}`,
      text: [...names.slice(0, maxNamed), ...more].join('\n'),
      source: 'the tabs of the editor',
      trust: 'project',
    }),
  };
}
