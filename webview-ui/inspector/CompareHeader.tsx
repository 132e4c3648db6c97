import type { RunFacts } from '../../src/protocol/inspector/inspector';
import { different, nextDifference, onlyDifferent } from './state/compareStore';
import { End, factsLine } from './Header';
import { pairs, runs } from './state/store';
import { say, sayCounted } from './state/words';

/** Short description of both runs, and where they diverge. */
export function CompareHeader() {
  const first = pairs.value.findIndex(({ same }) => !same);
  return (
    <header class="run-head compare-head">
      {runs.value.map(({ facts }, run) => (
        <Side key={run} facts={facts} />
      ))}
      <p class="compare-line" data-testid="compare-line">
        <span>
          {different.value === 0
            ? say('compare.alike')
            : sayCounted('compare.different', different.value, { total: pairs.value.length })}
        </span>
        {first >= 0 && (
          <button type="button" class="link" data-testid="next-difference" title="d" onClick={nextDifference}>
            {say('compare.next')}
          </button>
        )}
        {first >= 0 && (
          <button
            type="button"
            class="chip"
            aria-pressed={onlyDifferent.value}
            onClick={() => {
              onlyDifferent.value = !onlyDifferent.value;
            }}
          >
            {say('compare.only')}
          </button>
        )}
      </p>
    </header>
  );
}

const Side = ({ facts }: { facts: RunFacts }) => (
  <div class="compare-side">
    <div class="run-title">
      <h1 title={facts.path}>{facts.title || facts.name}</h1>
      <End facts={facts} />
    </div>
    <p class="dim run-facts">{facts.path}</p>
    <p class="dim run-facts">{factsLine(facts)}</p>
    {facts.problems.map((words, index) => (
      <p key={index} class="warn-text">
        {words}
      </p>
    ))}
  </div>
);
