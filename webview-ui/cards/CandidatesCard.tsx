import type { Sampling } from '../../src/protocol/events/event';
import type { RowOf } from '../state/rows';
import { isOpen, setOpen } from '../state/store';
import { counted, text } from '../base/text';
import { CandidateView } from './CandidateView';
import { Card } from '../parts/Card';
import { Judgement } from './Judgement';
import { StepLine } from '../steps/StepLine';

/** The candidates of one step: one line that names the chosen one, and all of them side by side when expanded. */
export function CandidatesCard({ row }: { row: RowOf<'candidates'> }) {
  const { sampling, seq } = row;
  const open = isOpen(row.key);
  const count = counted('candidates.count', sampling.candidates.length);
  const which = text(`candidates.${sampling.fallback === undefined ? sampling.by : 'fallback'}`, {
    n: sampling.chosen + 1,
  });
  return (
    <Card row={row} class="step candidates" label={`${count}: ${which}`}>
      <StepLine
        line={{ verb: count, target: which, tone: sampling.fallback === undefined ? 'plain' : 'warn' }}
        open={open}
        onToggle={() => setOpen(row.key, !open)}
      />
      {open && (
        <div class="step-body">
          <CandidateList sampling={sampling} seq={seq} choosable />
        </div>
      )}
    </Card>
  );
}

/**
 * All candidates side by side, with the reason for the choice. `choosable`: the session can continue from another one.
 */
export function CandidateList({
  sampling,
  seq,
  choosable = false,
}: {
  sampling: Sampling;
  seq: number;
  choosable?: boolean;
}) {
  const others =
    choosable && sampling.candidates.some(({ problem }, index) => index !== sampling.chosen && problem === undefined);
  return (
    <>
      <dl class="facts">
        <div>
          <dt>{text('candidates.why')}</dt>
          <dd>{sampling.reason}</dd>
        </div>
      </dl>
      {forAll(sampling) !== undefined && <Judgement words={forAll(sampling)!} />}
      <ul class="candidate-list">
        {sampling.candidates.map((candidate, index) => (
          <CandidateView
            key={index}
            candidate={candidate}
            seq={seq}
            index={index}
            chosen={index === sampling.chosen}
            judgement={forOne(sampling, index)}
            choosable={choosable}
          />
        ))}
      </ul>
      {others && <p class="dim">{text('candidates.continueHelp')}</p>}
    </>
  );
}

/** A judge compares all candidates in one text; a reward model writes one text for each. */
const isForEach = ({ outputs, candidates }: Sampling): boolean =>
  outputs.length === candidates.length && candidates.some(({ score }) => score !== undefined);
const forAll = (sampling: Sampling): string | undefined => (isForEach(sampling) ? undefined : sampling.outputs[0]);
const forOne = (sampling: Sampling, index: number): string | undefined =>
  isForEach(sampling) ? sampling.outputs[index] : undefined;
