import * as vscode from 'vscode';

/** How a language service responded to the latest edits. */
interface Answering {
  /** Consecutive edits without any diagnostics. */
  readonly silent: number;
  /** Consecutive edits without diagnostics within the waiting time. */
  readonly late: number;
}

/** Language ID → state. Shared by all sessions of a window. */
export type AnsweringServices = Map<string, Answering>;

/** Number of edits without diagnostics in time after which a language is not waited for. */
const triesBeforeSilence = 2;

/** Knows which language services report diagnostics, and how fast. Each method takes language IDs. */
export class LanguageAnswers {
  /** `firstMs`: how long to wait for the first diagnostics after an edit, in ms. */
  constructor(
    private readonly services: AnsweringServices,
    private readonly firstMs: number,
  ) {}

  saysAnything(languages: readonly string[]): boolean {
    return languages.some((language) => this.stateOf(language).silent < triesBeforeSilence);
  }

  answersInTime(languages: readonly string[]): boolean {
    return languages.some((language) => this.stateOf(language).late < triesBeforeSilence);
  }

  /** Notes diagnostics in time. `isAlone`: they cannot be about an earlier edit. */
  answered(languages: readonly string[], isAlone: boolean): void {
    this.note(languages, ({ late }) => ({ silent: 0, late: isAlone ? 0 : late }));
  }

  /** Notes diagnostics about an earlier edit. */
  answeredLate(languages: readonly string[]): void {
    this.note(languages, ({ late }) => ({ silent: 0, late }));
  }

  /** Notes an edit without diagnostics in time. `isHeard`: there were some about earlier edits. */
  missed(languages: readonly string[], isHeard: boolean): void {
    this.note(languages, ({ silent, late }) => ({ silent: isHeard ? 0 : silent + 1, late: late + 1 }));
  }

  /** Detects that a language which is not waited for responds in time again. `files`: URIs of the edited files. */
  noteSpeed(languages: readonly string[], files: ReadonlySet<string>): void {
    const listening = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      if (!uris.some((uri) => files.has(uri.toString()))) return;
      end();
      this.note(languages, () => ({ silent: 0, late: 0 }));
    });
    const end = (): void => {
      clearTimeout(timer);
      listening.dispose();
    };
    const timer = setTimeout(end, this.firstMs);
  }

  private stateOf(language: string): Answering {
    return this.services.get(language) ?? { silent: 0, late: 0 };
  }

  private note(languages: readonly string[], change: (before: Answering) => Answering): void {
    for (const language of languages) this.services.set(language, change(this.stateOf(language)));
  }
}
