import * as vscode from 'vscode';
import { eventsOfType, settingsOf, type History } from '../../core/log/history';
import { secrets } from '../../core/secrets/secrets';
import type { SessionEnvironment } from '../sessions/sessionEnvironment';

/** Shows the agent's shell in a real terminal of VS Code, where the person may type. Closing it leaves the shell alone. */
export async function showTerminal(
  history: History | undefined,
  environment: SessionEnvironment | undefined,
): Promise<void> {
  if (!history || !environment) throw new Error(vscode.l10n.t('No task is open, so there is no terminal to show.'));
  const shell = await environment.shell();
  const output = new vscode.EventEmitter<string>();
  let listening: { dispose(): void } | undefined;
  const mirror: vscode.Pseudoterminal = {
    onDidWrite: output.event,
    open(dimensions) {
      output.fire(ranBefore(history));
      const shown = secrets.stream();
      let late: NodeJS.Timeout | undefined;
      // What is held back, such as a letter that the person typed, comes a moment later.
      listening = shell.onData((data) => {
        output.fire(shown.push(data));
        clearTimeout(late);
        late = setTimeout(() => output.fire(shown.end()), 40);
      });
      if (dimensions) shell.resize(dimensions.columns, dimensions.rows);
    },
    close: () => listening?.dispose(),
    handleInput: (data) => shell.write(data),
    setDimensions: ({ columns, rows }) => shell.resize(columns, rows),
  };
  const terminal = vscode.window.createTerminal({
    name: vscode.l10n.t('Waymark: {0}', settingsOf(history)?.title ?? ''),
    iconPath: new vscode.ThemeIcon('compass'),
    pty: mirror,
  });
  terminal.show(true);
}

/** Most characters of earlier output that a terminal opens with. */
const MOST = 32 * 1024;

/** The commands of a log and what they printed, as the shell of the session would have shown them: nobody watched it then. */
function ranBefore(history: History): string {
  const commands = new Map(
    eventsOfType(history, 'agent_response')
      .flatMap(({ actions }) => actions)
      .map(({ id, input }) => [id, (input as { command?: unknown } | null)?.command]),
  );
  const shown = history
    .flatMap((event) => {
      if (event.type !== 'observation' || event.details?.kind !== 'command') return [];
      return `$ ${String(commands.get(event.actionId) ?? '')}\n${event.content}\n`;
    })
    .join('');
  const tail = shown.length > MOST ? `[…]\n${shown.slice(-MOST)}` : shown;
  return tail.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '').replaceAll('\n', '\r\n');
}
