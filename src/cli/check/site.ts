import type { Route, Vocabulary } from '../../model/route.ts';
import type { AttachmentStoreSurvey, IssueField, RepositorySurvey, TrackerSurvey } from '../../model/survey.ts';
import type { Finding } from './verdict.ts';

/** Everything that `check` has learnt of one route before it judges. */
export interface Site {
  readonly route: Route;
  readonly vocabulary: Vocabulary;
  readonly tracker: TrackerSurvey;
  /** Our account there; null when the tracker does not tell. */
  readonly login: string | null;
  readonly repository: RepositorySurvey;
  /** Names of the types that issues may have; none where GitHub offers none, or no rule asks for them. */
  readonly types: readonly string[];
  /** The fields that its issues may have; none where GitHub offers or shows none, or no rule asks for them. */
  readonly fields: readonly IssueField[];
  /** The repository in which files stand; null when they stand in the route's own, or nowhere. A text says why it cannot be seen. */
  readonly attachmentStore: RepositorySurvey | string | null;
  /** The place in it; null when there is none, or it cannot be seen. */
  readonly place: AttachmentStoreSurvey | null;
  /** Whether the tracker shows anything to readers without an account; null when that was not asked. */
  readonly isServed: boolean | null;
}

/** One thing to look at. Without findings the topic is in order, and `fine` says what that means. */
export interface Topic {
  readonly name: string;
  /** A text, or what makes one of what was found. */
  readonly fine: string | ((site: Site) => string);
  find(site: Site): readonly Finding[];
}
