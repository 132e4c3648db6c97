// An extension of tests: finds a problem in line 2 of src/add.js, and one test in lines 3 to 5 of src/add.test.js, as the language
// servers and test runners of a person do.
const vscode = require('vscode');

exports.activate = (context) => {
  const root = vscode.workspace.workspaceFolders[0].uri;
  const problems = vscode.languages.createDiagnosticCollection('finder');
  const subtracts = new vscode.Diagnostic(new vscode.Range(1, 2, 1, 15), 'It subtracts.', 0);
  subtracts.source = 'finder';
  problems.set(vscode.Uri.joinPath(root, 'src/add.js'), [subtracts]);

  const tests = vscode.tests.createTestController('finder', 'Finder');
  const adds = tests.createTestItem('adds', 'adds two numbers', vscode.Uri.joinPath(root, 'src/add.test.js'));
  adds.range = new vscode.Range(2, 0, 4, 2);
  tests.items.add(adds);
  context.subscriptions.push(problems, tests);
};
