import type { ComponentType } from 'preact';
import type { Row, RowOf } from '../state/rows';
import { ApprovalCard } from './approval/ApprovalCard';
import { CandidatesCard } from './CandidatesCard';
import { CondensationCard } from './CondensationCard';
import { FinishedCard } from './FinishedCard';
import { MessageCard } from './MessageCard';
import { NoticeCard } from './NoticeCard';
import { PausedCard } from './PausedCard';
import { QuestionCard } from './QuestionCard';
import { ReadsCard } from './ReadsCard';
import { ReplyCard } from './ReplyCard';
import { RetryCard } from './RetryCard';
import { StepCard } from './StepCard';

/** ★ Maps each kind of row to its card; rows.ts creates the rows from events. */
export const cards: { readonly [Kind in Row['kind']]: ComponentType<{ row: RowOf<Kind> }> } = {
  message: MessageCard,
  reply: ReplyCard,
  candidates: CandidatesCard,
  step: StepCard,
  reads: ReadsCard,
  approval: ApprovalCard,
  question: QuestionCard,
  notice: NoticeCard,
  condensation: CondensationCard,
  retry: RetryCard,
  paused: PausedCard,
  finished: FinishedCard,
};
