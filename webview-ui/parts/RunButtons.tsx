import { post } from '../base/host';
import { canPause, canResume, canStop, wasInterrupted } from '../state/status';
import { facts, stop, stopping } from '../state/store';
import { text, type TextKey } from '../base/text';

/** The controls that apply in the current state. Resume takes the place of pause, as in the debug toolbar. */
export function RunButtons() {
  const held = canResume() && !wasInterrupted();
  const pausing = facts.value?.running === true && facts.value.pauseRequested;
  return (
    <div class="run-controls" role="toolbar" aria-label={text('header.controls')}>
      {canPause() && (
        <Control
          id="pause"
          icon="debug-pause"
          word="header.pause"
          help="header.pauseHelp"
          onClick={() => post({ type: 'pause' })}
        />
      )}
      {(held || pausing) && (
        <Control
          id="resume"
          icon="debug-continue"
          word={resumeLabel(pausing)}
          onClick={() => post({ type: 'resume' })}
        />
      )}
      {held && (
        <Control
          id="step"
          icon="debug-step-over"
          word="header.step"
          help="header.stepHelp"
          onClick={() => post({ type: 'step' })}
        />
      )}
      {canStop() && (
        <Control
          id="stop"
          icon="stop-circle"
          word="header.stop"
          help="header.stopHelp"
          off={stopping.value}
          onClick={stop}
        />
      )}
    </div>
  );
}

/** Label of the resume button; in step mode, resuming leaves that mode. */
export function resumeLabel(pausing = false): TextKey {
  if (facts.value?.stepping) return 'header.leaveStepMode';
  return pausing ? 'header.keepGoing' : 'header.resume';
}

function Control({
  id,
  icon,
  word,
  help = word,
  off = false,
  onClick,
}: {
  id: string;
  icon: string;
  word: TextKey;
  help?: TextKey;
  off?: boolean;
  onClick: () => void;
}) {
  return (
    <button
      type="button"
      class={`icon-button codicon codicon-${icon}`}
      id={id}
      data-testid={id}
      title={text(help)}
      aria-label={text(word)}
      aria-disabled={off}
      onClick={() => {
        if (!off) onClick();
      }}
    />
  );
}
