import '@vscode/codicons/dist/codicon.css';
import '../styles/base.css';
import '../styles/frame.css';
import '../styles/cards.css';
import '../styles/code.css';
import '../styles/call.css';
import '../styles/inspector.css';
import { render } from 'preact';
import { Announcer } from './Announcer';
import { Charts } from './charts/Charts';
import { CompareHeader, CompareList } from './CompareList';
import { Header } from './Header';
import { Help } from './Help';
import { onKey } from './keyboard';
import { StepList } from './StepList';
import { refocus } from './state/moves';
import { connectToHost, first, helpShown, runs, view } from './state/store';
import { Toolbar } from './Toolbar';

const View = () => (view.value === 'charts' ? <Charts /> : <StepList />);

function Inspector() {
  const comparing = runs.value.length > 1;
  return (
    <>
      {comparing ? <CompareHeader /> : <Header />}
      <Toolbar />
      <main class="run-body">{comparing ? <CompareList /> : <View />}</main>
      <Announcer />
      {helpShown.value && <Help />}
    </>
  );
}

document.addEventListener('keydown', onKey);
render(<Inspector />, document.getElementById('root')!);
connectToHost();
// VS Code focuses the document, but the person works with its rows.
window.addEventListener('focus', focusRow);
first.subscribe((run) => {
  if (run && document.hasFocus()) requestAnimationFrame(focusRow);
});

function focusRow(): void {
  if (document.activeElement === document.body) refocus();
}
