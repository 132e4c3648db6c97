import * as vscode from 'vscode';
import { secrets } from '../../core/secrets/secrets';

/** What went wrong, in words for a person; secrets are masked. */
export const messageOf = (thrown: unknown): string =>
  secrets.mask(thrown instanceof Error ? thrown.message : String(thrown));

/** The same in full, for the output channel. */
const storyOf = (thrown: unknown): string =>
  secrets.mask(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));

/** Tells of what went wrong in this window. */
export class ProblemReports {
  constructor(private readonly output: Pick<vscode.LogOutputChannel, 'error'>) {}

  /** For the output channel alone, where the person is told elsewhere. `before`: what is said in front of it. */
  note(problem: unknown, before = ''): void {
    this.output.error(before + storyOf(problem));
  }

  /** Tells the person, too. */
  report(problem: unknown): void {
    this.note(problem);
    void vscode.window.showErrorMessage(messageOf(problem));
  }
}
