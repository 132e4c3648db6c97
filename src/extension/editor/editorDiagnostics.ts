import * as vscode from 'vscode';
import type { WorkspacePaths } from '../../adapters/files/workspacePaths';
import type { Diagnostics, NewProblems } from '../../core/ports/diagnostics';
import { editorUri } from './editorUri';
import { problemLine } from './problemLine';

/** How long to wait for language services, in ms. */
export interface Patience {
  /** Until the first diagnostics after an edit. */
  readonly first: number;
  /** Quiet period after the last diagnostics. */
  readonly quiet: number;
  /** Maximum in total. */
  readonly most: number;
  /** Until the first diagnostics, for a service that did not answer earlier edits in time. */
  readonly silent: number;
  /** After the last edit, when the run is about to end. */
  readonly end: number;
}

/** Later diagnostics are reported with the next result. */
const usualPatience: Patience = { first: 250, quiet: 100, most: 250, silent: 0, end: 1500 };
/** Number of edits without diagnostics in time after which a language is not waited for. */
const triesBeforeSilence = 2;
const mostShown = 20;

interface Problem {
  readonly key: string;
  readonly shown: string;
  readonly diagnostic: vscode.Diagnostic;
}

/** Time during which diagnostics of a file may still be about the previous edit, in ms. */
const mayChangeFor = 5_000;

interface Awaited {
  /** How often each problem of the file was reported, or existed before the edit. */
  readonly told: ReadonlyMap<string, number>;
  /** Time after which the file is dropped; Infinity until a service has reported on it. */
  readonly until: number;
}

/** How a language service responded to the latest edits. */
interface Answering {
  /** Consecutive edits without any diagnostics. */
  readonly silent: number;
  /** Consecutive edits without diagnostics within the waiting time. */
  readonly late: number;
}

/** Language ID → state. Shared by all sessions of a window. */
export type AnsweringServices = Map<string, Answering>;

/**
 * Diagnostics of the window's language services for the files of the workspace. Diagnostics that arrive too late for
 * their edit are reported with the next one.
 */
export function editorDiagnostics(
  paths: WorkspacePaths,
  services: AnsweringServices,
  patience = usualPatience,
): Diagnostics {
  /** Edited files, with the diagnostics that the model got. */
  const awaited = new Map<string, Awaited>();
  const forgetSettled = (): void => {
    for (const [path, { until }] of awaited) if (until < Date.now()) awaited.delete(path);
  };
  /** Languages of the edited files. */
  const languagesOf = new Map<string, readonly string[]>();
  let lastEdit = 0;
  const stateOf = (language: string): Answering => services.get(language) ?? { silent: 0, late: 0 };
  const note = (languages: readonly string[], change: (before: Answering) => Answering): void => {
    for (const language of languages) services.set(language, change(stateOf(language)));
  };
  const saysAnything = (languages: readonly string[]): boolean =>
    languages.some((language) => stateOf(language).silent < triesBeforeSilence);
  const answersInTime = (languages: readonly string[]): boolean =>
    languages.some((language) => stateOf(language).late < triesBeforeSilence);
  /** Detects that a language which is not waited for responds in time again. */
  const noteSpeed = (wanted: ReadonlySet<string>, languages: readonly string[]): void => {
    const listening = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      if (!uris.some((uri) => wanted.has(uri.toString()))) return;
      end();
      note(languages, () => ({ silent: 0, late: 0 }));
    });
    const end = (): void => {
      clearTimeout(timer);
      listening.dispose();
    };
    const timer = setTimeout(end, patience.first);
  };
  return {
    async late(atEnd, signal) {
      forgetSettled();
      if (awaited.size === 0) return undefined;
      const left = lastEdit + patience.end - Date.now();
      const unspoken = [...awaited].filter(([, { until }]) => until === Infinity).map(([path]) => path);
      const mayBeSpokenOf = unspoken.filter((path) => saysAnything(languagesOf.get(path) ?? []));
      if (atEnd && left > 0 && mayBeSpokenOf.length > 0) await spokenOfAll(new Set(mayBeSpokenOf), paths, left, signal);
      const found = problemsIn(paths);
      const counts = counted(found);
      const late = [...awaited].filter(([path, { told }]) => !isSame(told, countsOf(path, counts)));
      if (late.length === 0) return undefined;
      const changed = new Set(late.map(([path]) => path));
      for (const path of changed) {
        awaited.set(path, { told: countsOf(path, counts), until: Date.now() + mayChangeFor });
        note(languagesOf.get(path) ?? [], ({ late }) => ({ silent: 0, late }));
      }
      const before = new Map(late.flatMap(([, { told }]) => [...told]));
      const ofThem = found.filter(({ shown }) => changed.has(shown));
      return difference(before, ofThem, changed);
    },
    watch() {
      forgetSettled();
      const now = problemsIn(paths);
      const before = new Map([
        ...counted(now.filter(({ shown }) => !awaited.has(shown))),
        ...[...awaited.values()].flatMap(({ told }) => [...told]),
      ]);
      const told: vscode.Uri[] = [];
      let heard: () => void = () => undefined;
      const listening = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        told.push(...uris);
        heard();
      });
      return {
        async since(changed, signal) {
          const uris = new Map(
            changed.map((path) => [path, editorUri(paths.resolve(path, 'read').absolute).toString()]),
          );
          const wanted = new Set(uris.values());
          const spoken = (): boolean => told.some((uri) => wanted.has(uri.toString()));
          const languages = vscode.workspace.textDocuments
            .filter(({ uri }) => wanted.has(uri.toString()))
            .map(({ languageId }) => languageId);
          await settled(
            {
              spoken,
              onHeard: (listener) => {
                heard = listener;
              },
              first: answersInTime(languages) ? patience.first : patience.silent,
            },
            patience,
            signal,
          );
          // If another edit came just before, diagnostics that arrive at this point may be about that edit.
          const isAlone = Date.now() - lastEdit > patience.end;
          lastEdit = Date.now();
          for (const path of changed) languagesOf.set(path, languages);
          const found = problemsIn(paths);
          const counts = counted(found);
          const late = [...awaited]
            .filter(([path, { told }]) => !isSame(told, countsOf(path, counts)))
            .map(([path]) => path);
          if (spoken()) note(languages, (before) => ({ silent: 0, late: isAlone ? 0 : before.late }));
          else {
            const isHeard = late.length > 0;
            note(languages, (before) => ({ silent: isHeard ? 0 : before.silent + 1, late: before.late + 1 }));
            if (isAlone) noteSpeed(wanted, languages);
          }
          const asToldNow = (path: string): Awaited => ({
            told: countsOf(path, counts),
            until: Date.now() + mayChangeFor,
          });
          for (const path of late) awaited.set(path, asToldNow(path));
          for (const [path, uri] of uris) {
            if (told.some((each) => each.toString() === uri)) awaited.set(path, asToldNow(path));
            else if (!late.includes(path))
              awaited.set(path, { told: awaited.get(path)?.told ?? countsOf(path, before), until: Infinity });
          }
          return difference(before, found, new Set([...changed, ...late]));
        },
        dispose: () => void listening.dispose(),
      };
    },
  };
}

const countsOf = (path: string, counts: ReadonlyMap<string, number>): ReadonlyMap<string, number> =>
  new Map([...counts].filter(([key]) => (JSON.parse(key) as unknown[])[0] === path));
const isSame = (one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): boolean =>
  one.size === other.size && [...one].every(([key, count]) => other.get(key) === count);

/**
 * Resolves when a service has reported on the files and then stayed quiet, when none reports in time, when the total
 * time is over, or when the signal is aborted.
 */
function settled(
  { spoken, onHeard, first }: { spoken(): boolean; onHeard(listener: () => void): void; readonly first: number },
  waits: Patience,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    const timers: { quiet?: NodeJS.Timeout; end?: NodeJS.Timeout } = {};
    const end = (): void => {
      for (const timer of [timers.quiet, timers.end]) clearTimeout(timer);
      signal.removeEventListener('abort', end);
      onHeard(() => undefined);
      resolve();
    };
    const wait = (ms: number): void => {
      clearTimeout(timers.quiet);
      timers.quiet = setTimeout(end, ms);
    };
    onHeard(() => {
      if (spoken()) wait(waits.quiet);
    });
    signal.addEventListener('abort', end, { once: true });
    timers.end = setTimeout(end, waits.most);
    wait(spoken() ? waits.quiet : first);
    if (signal.aborted) end();
  });
}

/** Resolves when a service has reported on each of the files, when the time is over, or when the signal is aborted. */
function spokenOfAll(
  files: ReadonlySet<string>,
  paths: WorkspacePaths,
  mostMs: number,
  signal: AbortSignal,
): Promise<void> {
  const silent = new Set([...files].map((file) => editorUri(paths.resolve(file, 'read').absolute).toString()));
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      listening.dispose();
      resolve();
    };
    const timer = setTimeout(end, mostMs);
    const listening = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      for (const uri of uris) silent.delete(uri.toString());
      if (silent.size === 0) end();
    });
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
  });
}

/**
 * Returns all problems. Lines move when a file is edited, so the key of a problem leaves out its position and the
 * positions in its message.
 */
function problemsIn(paths: WorkspacePaths): Problem[] {
  return vscode.languages.getDiagnostics().flatMap(([uri, found]) => {
    if (uri.scheme !== 'file' || !vscode.workspace.getWorkspaceFolder(uri)) return [];
    const wrong = found.filter(({ severity }) => severity <= vscode.DiagnosticSeverity.Warning);
    if (wrong.length === 0) return [];
    let shown: string;
    try {
      shown = paths.resolve(uri.fsPath, 'read').display;
    } catch {
      return [];
    }
    return wrong.map((diagnostic) => ({
      key: JSON.stringify([
        shown,
        diagnostic.severity,
        diagnostic.source,
        typeof diagnostic.code === 'object' ? diagnostic.code.value : diagnostic.code,
        withoutPlaces(diagnostic.message),
      ]),
      shown,
      diagnostic,
    }));
  });
}

const withoutPlaces = (message: string): string =>
  message.replace(/\b(?:lines?|columns?|col\.?|row|Ln)\s+\d+|:\d+:\d+/gi, '');

const counted = (problems: readonly Problem[]): Map<string, number> =>
  problems.reduce((counts, { key }) => counts.set(key, (counts.get(key) ?? 0) + 1), new Map<string, number>());

/** Returns what changed: the changed files first; of other files only errors. */
function difference(
  before: ReadonlyMap<string, number>,
  now: readonly Problem[],
  changed: ReadonlySet<string>,
): NewProblems {
  const left = new Map(before);
  const fresh = now
    .filter(({ key }) => {
      const count = left.get(key) ?? 0;
      left.set(key, count - 1);
      return count <= 0;
    })
    .filter(({ shown, diagnostic }) => changed.has(shown) || diagnostic.severity === vscode.DiagnosticSeverity.Error);
  const sorted = fresh.sort(
    (a, b) =>
      Number(changed.has(b.shown)) - Number(changed.has(a.shown)) ||
      a.diagnostic.severity - b.diagnostic.severity ||
      a.diagnostic.range.start.line - b.diagnostic.range.start.line,
  );
  return {
    lines: sorted.slice(0, mostShown).map(({ shown, diagnostic }) => problemLine(shown, diagnostic)),
    more: Math.max(0, sorted.length - mostShown),
    gone: [...left.values()].reduce((sum, count) => sum + Math.max(0, count), 0),
  };
}
