import * as vscode from 'vscode';
import { secrets } from '../../core/secrets/secrets';
import { errorMessage } from '../../core/text/errorMessage';

/** Returns the error message for people, with secrets masked. */
export const maskedMessage = (thrown: unknown): string => secrets.mask(errorMessage(thrown));

/** Returns the stack trace for the output channel, with secrets masked. */
const storyOf = (thrown: unknown): string =>
  secrets.mask(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));

/** An error that one command of VS Code solves. Its message has a button for it. */
export class SolvableError extends Error {
  constructor(
    message: string,
    readonly solution: { readonly title: string; readonly command: string },
  ) {
    super(message);
    this.name = 'SolvableError';
  }
}

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
    void this.show(problem);
  }

  private async show(problem: unknown): Promise<void> {
    const solutions = problem instanceof SolvableError ? [problem.solution] : [];
    const picked = await vscode.window.showErrorMessage(maskedMessage(problem), ...solutions);
    if (picked) await vscode.commands.executeCommand(picked.command);
  }
}
