import type { Comparison } from '../../src/protocol/events/event';
import { outcomeWords } from '../../src/protocol/plain/comparisonWords';
import { Icon } from '../parts/Icon';
import { say } from './state/words';

/** Sessions that worked on one task, with their results and the judge's text. */
export function ComparedCandidates({ comparison }: { comparison: Comparison }) {
  const { candidates, chosen, check, outputs = [] } = comparison;
  return (
    <div data-testid="compared">
      {check !== undefined && (
        <p>
          {say('compared.check')}: <code>{check}</code>
        </p>
      )}
      <ol>
        {candidates.map((candidate, index) => (
          <li key={candidate.session}>
            {index === chosen && <Icon name="check" />} {outcomeWords(candidate)}
            <span class="dim"> {candidate.session}</span>
            {candidate.check && !candidate.check.passed && candidate.check.output !== '' && (
              <pre aria-label={say('compared.checkSaid')}>{candidate.check.output}</pre>
            )}
          </li>
        ))}
      </ol>
      {outputs.map((words, index) => (
        <pre key={index} aria-label={say('compared.judge')}>
          {words}
        </pre>
      ))}
    </div>
  );
}
