import * as vscode from 'vscode';
import { secrets } from '../../core/secrets/secrets';
import { errorMessage } from '../../core/text/errorMessage';

/** Returns the error message for people, with secrets masked. */
export const maskedMessage = (thrown: unknown): string => secrets.mask(errorMessage(thrown));

/** Returns the stack trace for the output channel, with secrets masked. */
const storyOf = (thrown: unknown): string =>
  secrets.mask(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));

/** Reports errors of this window. */
export class ProblemReports {
  constructor(private readonly output: Pick<vscode.LogOutputChannel, 'error'>) {}

  /** Writes the error to the output channel only; the caller tells the user. `before`: prefix of the entry. */
  note(problem: unknown, before = ''): void {
    this.output.error(before + storyOf(problem));
  }

  /** Writes the error to the output channel and shows it to the user. */
  report(problem: unknown): void {
    this.note(problem);
    void vscode.window.showErrorMessage(maskedMessage(problem));
  }
}
