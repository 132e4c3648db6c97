// An extension of tests: its command asks Waymark for what other extensions may ask for, and notes what came of it, as lines of JSON in
// the file that ASKER_FILE names. ASKER_FOLDER: the name of the workspace folder that the task is for.
const fs = require('node:fs');
const vscode = require('vscode');

exports.activate = (context) => {
  const note = (what, came) => fs.appendFileSync(process.env.ASKER_FILE, `${JSON.stringify({ what, came })}\n`);
  const tried = async (what, work) => note(what, await work().then(String, (error) => `refused: ${error.message}`));
  context.subscriptions.push(
    vscode.commands.registerCommand('waymarkTestAsker.ask', async () => {
      const waymark = await vscode.extensions.getExtension('waymark.waymark').activate();
      context.subscriptions.push(
        waymark.registerTool({
          name: `asker_${Date.now()}`,
          description: 'Says yes.',
          effect: 'reads',
          parameters: { type: 'object' },
          run: async () => 'yes',
        }),
      );
      await tried(
        'tool',
        async () =>
          (
            await vscode.lm.invokeTool('waymark_read_file', {
              input: { path: 'notes.txt' },
              toolInvocationToken: undefined,
            })
          ).content[0].value,
      );
      await tried('task', async () => {
        const folder = vscode.workspace.workspaceFolders.find(({ name }) => name === process.env.ASKER_FOLDER)?.uri
          .fsPath;
        const run = await waymark.runTask({ task: 'Look around.', ...(folder && { folder }) });
        return (await run.result).summary;
      });
    }),
  );
};
