import * as vscode from 'vscode';
import type { WorkspacePaths } from '../../adapters/files/workspacePaths';
import type { Files } from '../../core/ports/files';
import type { Terminal } from '../../core/ports/terminal';
import type { StepOrigin } from '../../core/trajectory/provenance';
import type { WindowProvenance } from './windowProvenance';
import { editorUri } from './editorUri';

/** Returns file access that records changes under one action. */
export function recordedFiles(
  files: Files,
  paths: WorkspacePaths,
  provenance: WindowProvenance,
  by: StepOrigin,
): Files {
  return {
    read: (path) => files.read(path),
    readBytes: (path, most) => files.readBytes(path, most),
    list: (path, options) => files.list(path, options),
    move: (from, to, expected) => whileRecorded(provenance, by, () => files.move(from, to, expected)),
    remove: (path, expected) => whileRecorded(provenance, by, () => files.remove(path, expected)),
    async write(changes) {
      const recorded = await Promise.all(
        changes.map(async ({ path, text, expected }) => {
          const place = text === null ? undefined : placeOf(path);
          if (!place) return undefined;
          const before =
            expected === null
              ? null
              : await files.read(path).then(
                  ({ text }) => text,
                  () => null,
                );
          return { before, typed: place.typed, done: place.provenance.writing(place.relative) };
        }),
      );
      try {
        const written = await files.write(changes);
        recorded.forEach((each, index) =>
          each?.done({ before: each.before, typed: each.typed, after: written[index]!.text, by }),
        );
        return written;
      } catch (error) {
        for (const each of recorded) each?.done();
        throw error;
      }
    },
  };

  function placeOf(path: string) {
    try {
      const { absolute } = paths.resolve(path, 'write');
      const known = provenance.provenanceOf(absolute);
      return (
        known && {
          ...known,
          typed: vscode.workspace.textDocuments.some(
            (document) =>
              document.isDirty && document.uri.scheme === 'file' && document.uri.fsPath === editorUri(absolute).fsPath,
          ),
        }
      );
    } catch {
      return undefined; // the write itself reports the error
    }
  }
}

/** Returns a terminal that records changes on disk under one action. */
export function recordedTerminal(terminal: Terminal, provenance: WindowProvenance, by: StepOrigin): Terminal {
  const during = <Result>(work: () => Promise<Result>): Promise<Result> => whileRecorded(provenance, by, work);
  return {
    shellName: terminal.shellName,
    run: (command, options) => during(() => terminal.run(command, options)),
    answer: (text, options) => during(() => terminal.answer(text, options)),
    dispose: () => terminal.dispose(),
    ...(terminal.hold && { hold: () => terminal.hold!() }),
    ...(terminal.outside && { outside: recordedTerminal(terminal.outside, provenance, by) }),
    ...(terminal.readOnly && { readOnly: terminal.readOnly }),
  };
}

/** Records what changes on disk during the work under that action. */
async function whileRecorded<Result>(
  provenance: WindowProvenance,
  by: StepOrigin,
  work: () => Promise<Result>,
): Promise<Result> {
  const ended = await provenance.commandBegan(by);
  try {
    return await work();
  } finally {
    ended();
  }
}
