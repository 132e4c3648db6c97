import { post } from '../base/host';
import { resumeLabel } from '../parts/RunButtons';
import type { RowOf } from '../state/rows';
import { checkpointWords } from '../state/status';
import { facts } from '../state/store';
import { text } from '../base/text';
import { Card } from '../parts/Card';
import { Icon } from '../parts/Icon';

/** Where the run is paused, with the controls while it is. */
export function PausedCard({ row }: { row: RowOf<'paused'> }) {
  const { checkpoint, reason } = row.event;
  const known = row.last ? facts.value : undefined;
  const held = known?.status === 'paused' && known.writable;
  const title = text(held && known.stepping ? 'paused.title.stepping' : 'paused.title');
  const where = held && checkpoint ? checkpointWords(checkpoint) : reason;
  if (!held) {
    return (
      <Card row={row} class="notice" label={`${title}: ${where}`}>
        <div class="notice-line">
          <Icon name="debug-pause" />
          <span>{where || title}</span>
        </div>
      </Card>
    );
  }
  const resume = (
    <button
      type="button"
      class={known.stepping ? 'secondary' : 'primary'}
      data-testid="card-resume"
      onClick={() => post({ type: 'resume' })}
    >
      {text(resumeLabel())}
    </button>
  );
  return (
    <Card row={row} class="paused" label={`${title}: ${where}`}>
      <div data-testid="paused" data-checkpoint={checkpoint}>
        <h2 class="finished-head">
          <Icon name="debug-pause" />
          {title}
        </h2>
        {where && <p>{where}</p>}
        <div class="buttons">
          {!known.stepping && resume}
          <button
            type="button"
            class={known.stepping ? 'primary' : 'secondary'}
            data-testid="card-step"
            title={text('header.stepHelp')}
            onClick={() => post({ type: 'step' })}
          >
            {text('header.step')}
          </button>
          {known.stepping && resume}
        </div>
      </div>
    </Card>
  );
}
