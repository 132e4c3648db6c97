import * as vscode from 'vscode';
import type { WorkspacePaths } from '../../adapters/files/workspacePaths';
import type { Diagnostics, NewProblems } from '../../core/ports/diagnostics';
import { editorUri } from './editorUri';
import { LanguageAnswers, type AnsweringServices } from './languageAnswers';
import { problemLine } from './problemLine';

/** How long to wait for language services, in ms. */
interface WaitTimes {
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
const defaultWaitTimes: WaitTimes = { first: 250, quiet: 100, most: 250, silent: 0, end: 1500 };
const maxProblemsShown = 20;

interface Problem {
  readonly key: string;
  readonly displayPath: string;
  readonly diagnostic: vscode.Diagnostic;
}

/** Time during which diagnostics of a file may still be about the previous edit, in ms. */
const mayChangeFor = 5_000;

interface Awaited {
  /** How often each problem of the file was reported, or existed before the edit. */
  readonly reported: ReadonlyMap<string, number>;
  /** Time after which the file is dropped; Infinity until a service has reported on it. */
  readonly until: number;
}

/**
 * Diagnostics of the window's language services for the files of the workspace. Diagnostics that arrive too late for
 * their edit are reported with the next one.
 */
export function editorDiagnostics(
  paths: WorkspacePaths,
  services: AnsweringServices,
  waits = defaultWaitTimes,
): Diagnostics {
  const edited = new EditedFiles(paths, new LanguageAnswers(services, waits.first), waits);
  return {
    late: (options, signal) => edited.late(options, signal),
    watch() {
      const before = edited.countsBefore();
      const reports = new Reports();
      return {
        since: (changed, signal) => edited.since(before, changed, reports, signal),
        dispose: () => reports.dispose(),
      };
    },
  };
}

/** The files that a session edited, with the diagnostics that the model got about them. */
class EditedFiles {
  private readonly awaited = new Map<string, Awaited>();
  private readonly languages = new Map<string, readonly string[]>();
  /** In ms since 1970. */
  private lastEdit = 0;

  constructor(
    private readonly paths: WorkspacePaths,
    private readonly services: LanguageAnswers,
    private readonly waits: WaitTimes,
  ) {}

  /** Returns the problems that the model knows, with how often each was reported. */
  countsBefore(): ReadonlyMap<string, number> {
    this.forgetSettled();
    const others = problemsIn(this.paths).filter(({ displayPath }) => !this.awaited.has(displayPath));
    return new Map([...countByKey(others), ...[...this.awaited.values()].flatMap(({ reported }) => [...reported])]);
  }

  /** See `Diagnostics.late`. */
  async late({ atEnd }: { readonly atEnd: boolean }, signal: AbortSignal): Promise<NewProblems | undefined> {
    this.forgetSettled();
    if (this.awaited.size === 0) return undefined;
    const left = this.lastEdit + this.waits.end - performance.now();
    const unspoken = [...this.awaited].filter(([, { until }]) => until === Infinity).map(([path]) => path);
    const mayBeSpokenOf = unspoken.filter((path) => this.services.saysAnything(this.languages.get(path) ?? []));
    if (atEnd && left > 0 && mayBeSpokenOf.length > 0)
      await allReported(new Set(mayBeSpokenOf), this.paths, left, signal);
    const found = problemsIn(this.paths);
    const counts = countByKey(found);
    const late = this.lateIn(counts);
    if (late.length === 0) return undefined;
    const before = new Map(late.flatMap((path) => [...this.awaited.get(path)!.reported]));
    for (const path of late) {
      this.setTold(path, counts);
      this.services.answeredLate(this.languages.get(path) ?? []);
    }
    const changed = new Set(late);
    const ofThem = found.filter(({ displayPath }) => changed.has(displayPath));
    return difference(before, ofThem, changed);
  }

  /** Waits for diagnostics of the changed files and returns what is new. `before`: from `countsBefore`. */
  async since(
    before: ReadonlyMap<string, number>,
    changed: readonly string[],
    reports: Reports,
    signal: AbortSignal,
  ): Promise<NewProblems> {
    const { services, waits } = this;
    const uris = new Map(
      changed.map((path) => [path, editorUri(this.paths.resolve(path, 'read').absolute).toString()]),
    );
    const wanted = new Set(uris.values());
    const languages = vscode.workspace.textDocuments
      .filter(({ uri }) => wanted.has(uri.toString()))
      .map(({ languageId }) => languageId);
    const first = services.answersInTime(languages) ? waits.first : waits.silent;
    await waitForReports(reports, wanted, { ...waits, first }, signal);
    // If another edit came just before, diagnostics that arrive at this point may be about that edit.
    const isAlone = performance.now() - this.lastEdit > waits.end;
    this.lastEdit = performance.now();
    for (const path of changed) this.languages.set(path, languages);
    const found = problemsIn(this.paths);
    const counts = countByKey(found);
    const late = this.lateIn(counts);
    if (reports.areAboutAny(wanted)) services.answered(languages, isAlone);
    else {
      services.missed(languages, late.length > 0);
      if (isAlone) services.noteSpeed(languages, wanted);
    }
    for (const path of late) this.setTold(path, counts);
    for (const [path, uri] of uris) {
      if (reports.areAbout(uri)) this.setTold(path, counts);
      else if (!late.includes(path)) {
        const reported = this.awaited.get(path)?.reported ?? countsOf(path, before);
        this.awaited.set(path, { reported, until: Infinity });
      }
    }
    return difference(before, found, new Set([...changed, ...late]));
  }

  /** Returns the files whose problems are not those that the model got. */
  private lateIn(counts: ReadonlyMap<string, number>): string[] {
    return [...this.awaited].flatMap(([path, { reported }]) =>
      areSameCounts(reported, countsOf(path, counts)) ? [] : [path],
    );
  }

  private setTold(path: string, counts: ReadonlyMap<string, number>): void {
    this.awaited.set(path, { reported: countsOf(path, counts), until: performance.now() + mayChangeFor });
  }

  private forgetSettled(): void {
    for (const [path, { until }] of this.awaited) if (until < performance.now()) this.awaited.delete(path);
  }
}

/** The files on which language services reported since it was created. */
class Reports implements vscode.Disposable {
  private readonly uris = new Set<string>();
  private onReport: () => void = () => undefined;
  private readonly listening = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
    for (const uri of uris) this.uris.add(uri.toString());
    this.onReport();
  });

  areAbout(uri: string): boolean {
    return this.uris.has(uri);
  }

  areAboutAny(wanted: ReadonlySet<string>): boolean {
    return [...wanted].some((uri) => this.uris.has(uri));
  }

  /** Calls the listener at each report, instead of an earlier one. */
  onHeard(listener: () => void): void {
    this.onReport = listener;
  }

  dispose(): void {
    this.listening.dispose();
  }
}

const countsOf = (path: string, counts: ReadonlyMap<string, number>): ReadonlyMap<string, number> =>
  new Map([...counts].filter(([key]) => (JSON.parse(key) as unknown[])[0] === path));
const areSameCounts = (a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): boolean =>
  a.size === b.size && [...a].every(([key, count]) => b.get(key) === count);

/**
 * Resolves when a service has reported on the files and then stayed quiet, when none reports in time, when the total
 * time is over, or when the signal is aborted.
 */
function waitForReports(
  reports: Reports,
  wanted: ReadonlySet<string>,
  waits: WaitTimes,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    const timers: { quiet?: NodeJS.Timeout; end?: NodeJS.Timeout } = {};
    const end = (): void => {
      for (const timer of [timers.quiet, timers.end]) clearTimeout(timer);
      signal.removeEventListener('abort', end);
      reports.onHeard(() => undefined);
      resolve();
    };
    const wait = (ms: number): void => {
      clearTimeout(timers.quiet);
      timers.quiet = setTimeout(end, ms);
    };
    reports.onHeard(() => {
      if (reports.areAboutAny(wanted)) wait(waits.quiet);
    });
    signal.addEventListener('abort', end, { once: true });
    timers.end = setTimeout(end, waits.most);
    wait(reports.areAboutAny(wanted) ? waits.quiet : waits.first);
    if (signal.aborted) end();
  });
}

/** Resolves when a service has reported on each of the files, when the time is over, or when the signal is aborted. */
function allReported(
  files: ReadonlySet<string>,
  paths: WorkspacePaths,
  limitMs: number,
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
    const timer = setTimeout(end, limitMs);
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
    let displayPath: string;
    try {
      displayPath = paths.resolve(uri.fsPath, 'read').display;
    } catch {
      return [];
    }
    return wrong.map((diagnostic) => ({
      key: JSON.stringify([
        displayPath,
        diagnostic.severity,
        diagnostic.source,
        typeof diagnostic.code === 'object' ? diagnostic.code.value : diagnostic.code,
        withoutPlaces(diagnostic.message),
      ]),
      displayPath,
      diagnostic,
    }));
  });
}

const withoutPlaces = (message: string): string =>
  message.replace(/\b(?:lines?|columns?|col\.?|row|Ln)\s+\d+|:\d+:\d+/gi, '');

const countByKey = (problems: readonly Problem[]): Map<string, number> =>
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
    .filter(
      ({ displayPath, diagnostic }) =>
        changed.has(displayPath) || diagnostic.severity === vscode.DiagnosticSeverity.Error,
    );
  const sorted = fresh.sort(
    (a, b) =>
      Number(changed.has(b.displayPath)) - Number(changed.has(a.displayPath)) ||
      a.diagnostic.severity - b.diagnostic.severity ||
      a.diagnostic.range.start.line - b.diagnostic.range.start.line,
  );
  return {
    lines: sorted.slice(0, maxProblemsShown).map(({ displayPath, diagnostic }) => problemLine(displayPath, diagnostic)),
    more: Math.max(0, sorted.length - maxProblemsShown),
    gone: [...left.values()].reduce((sum, count) => sum + Math.max(0, count), 0),
  };
}
