import type { RowOf } from '../state/rows';
import { isOpen, setOpen } from '../state/store';
import { counted, text } from '../base/text';
import { Card } from '../parts/Card';
import { StepBody } from '../steps/StepBody';
import { StepLine } from '../steps/StepLine';
import { lineOf } from '../steps/stepWords';

/** Consecutive reads, folded into one line that expands to one line each. */
export function ReadsCard({ row }: { row: RowOf<'reads'> }) {
  const open = isOpen(row.key);
  const paths = [
    ...new Set(
      row.steps.map((step) => (step.observation?.details?.kind === 'read' ? step.observation.details.path : '')),
    ),
  ];
  const names = paths.map((path) => path.split(/[\\/]/).at(-1)).join(', ');
  const count = counted('step.files', paths.length);
  return (
    <Card row={row} class="step" label={`${text('step.read')} ${count}: ${names}`}>
      <StepLine
        line={{ verb: `${text('step.read')} ${count}`, target: names, tone: 'plain' }}
        open={open}
        onToggle={() => setOpen(row.key, !open)}
      />
      {open && (
        <div class="nested">
          {row.steps.map((step) => {
            const key = `${row.key}/${step.action.id}`;
            return (
              <div key={key}>
                <StepLine
                  line={lineOf(step, { running: false })}
                  open={isOpen(key)}
                  onToggle={() => setOpen(key, !isOpen(key))}
                />
                {isOpen(key) && <StepBody step={step} />}
              </div>
            );
          })}
        </div>
      )}
    </Card>
  );
}
