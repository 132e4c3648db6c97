import type { PanelChange } from '../../src/protocol/panel/panel';
import { post } from '../base/host';
import { counted, text, type TextKey } from '../base/text';
import { Icon } from '../parts/Icon';
import { facts, pendingChanges, rows } from '../state/store';

const kinds: Record<PanelChange['kind'], readonly [icon: string, words: TextKey]> = {
  created: ['diff-added', 'step.created'],
  modified: ['diff-modified', 'step.edited'],
  deleted: ['diff-removed', 'step.deleted'],
  renamed: ['diff-renamed', 'review.renamed'],
  mode: ['diff-modified', 'review.mode'],
};

/** The files that wait for review with their net changes, and a button to review them. Empty if there are none. */
export function ReviewList() {
  const changes = pendingChanges.value;
  if (!changes || changes.total === 0) return null;
  const more = changes.total - changes.files.length;
  return (
    <section data-testid="review-list">
      <h3>{counted('review.waiting', changes.total)}</h3>
      <ul class="plain-list">
        {changes.files.map((file) => (
          <ChangedFile key={file.path} file={file} />
        ))}
        {more > 0 && <li class="dim">{text('review.more', { n: more })}</li>}
      </ul>
      <div class="buttons">
        <button
          type="button"
          class="secondary"
          data-testid="review"
          onClick={() => post({ type: 'command', id: 'waymark.reviewChanges' })}
        >
          {text('finished.review')}
        </button>
      </div>
    </section>
  );
}

function ChangedFile({ file: { path, shown, kind, held, added, removed } }: { file: PanelChange }) {
  const [icon, words] = kinds[kind];
  return (
    <li>
      <span class={`codicon codicon-${icon}`} role="img" aria-label={text(words)} />
      <button type="button" class="link file" title={shown} onClick={() => post({ type: 'open_change', path })}>
        {shown}
      </button>
      {held && <span class="meta">{text('review.held')}</span>}
      {added !== undefined && removed !== undefined && added + removed > 0 && (
        <span class="meta counts">
          <span class="added">+{added}</span> <span class="removed">−{removed}</span>
        </span>
      )}
    </li>
  );
}

/** True if the list is shown at the end of the feed: the agent is idle, and no finished card shows it. */
export function isReviewShown(): boolean {
  const { value: known } = facts;
  if (!known || known.running || !(known.status === 'idle' || known.status === 'finished')) return false;
  const isListed = rows.value.some((row) => row.kind === 'finished' && row.last);
  return !isListed && (pendingChanges.value?.total ?? 0) > 0;
}

/** The same list after an answer in plain text, which also ends a turn. */
export function ReviewCard() {
  return (
    <article class="card finished review" data-testid="card-review" aria-label={text('finished.changes')}>
      <div>
        <h2 class="finished-head">
          <Icon name="diff-multiple" />
          {text('finished.changes')}
        </h2>
        <ReviewList />
      </div>
    </article>
  );
}
