import { say } from './words';

/** What the figures are; each row says it to those who hear it. */
export const Columns = () => (
  <div class="columns" aria-hidden="true">
    <span class="row-words">{say('column.step')}</span>
    <span class="row-figure time">{say('column.time')}</span>
    <span class="row-figure tokens">{say('column.tokens')}</span>
    <span class="row-figure cost">{say('column.cost')}</span>
  </div>
);
