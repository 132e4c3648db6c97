import * as vscode from 'vscode';
import { failure, startModelServer, type Answering, type ModelServer } from '../../support/modelServer';

/** Changes settings of Waymark, one after the other. */
export async function set(values: Record<string, unknown>): Promise<void> {
  for (const [key, value] of Object.entries(values))
    await vscode.workspace.getConfiguration('waymark').update(key, value, vscode.ConfigurationTarget.Global);
}

/** Provides a model server for the tests of a suite, and configures Waymark to use it. */
export function useTestModel(): { readonly server: () => ModelServer; readonly model: (...next: Answering[]) => void } {
  let server: ModelServer;
  let answers: Answering[] = [];
  before(async () => {
    server = await startModelServer((request, index) => {
      const next = answers.shift() ?? failure(400, 'The test has no answer left.');
      return typeof next === 'function' ? next(request, index) : next;
    });
    await set({ 'model.provider': 'openai', 'model.baseUrl': server.baseUrl, 'model.name': 'test-model' });
  });
  after(async () => {
    await set({ 'model.provider': undefined, 'model.baseUrl': undefined, 'model.name': undefined });
    await server.stop();
  });
  return {
    server: () => server,
    /** Sets the model's answers from here on. Answers of earlier tests are discarded. */
    model: (...next) => {
      answers = next;
    },
  };
}
