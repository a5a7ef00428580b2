import type { Route, Vocabulary } from '../model/route.ts';
import type { AttachmentStoreSurvey, IssueField, RepositorySurvey, TrackerSurvey } from '../model/survey.ts';
import type { Read } from './answers.ts';
import type { Finding } from './verdict.ts';

/** Everything that `check` knows about one route. */
export interface Site {
  readonly route: Route;
  readonly vocabulary: Vocabulary;
  /** What the route names and the tracker does not have, in words. */
  readonly unknownNames: readonly string[];
  /** Why the repository of the route is not that of its pairs; null if it is. */
  readonly anotherRepository: string | null;
  /** Why the label that chooses issues chooses none; null if it may. */
  readonly noLabel: string | null;
  readonly tracker: TrackerSurvey;
  /** Our account there; null if the tracker does not report it. */
  readonly login: string | null;
  readonly repository: RepositorySurvey;
  /** Whether only collaborators may create issues; null if GitHub does not say, or was not asked. */
  readonly isRestricted: boolean | null;
  /** The issue types; empty if GitHub has none, or no rule uses them. */
  readonly types: readonly string[];
  /** The issue fields; empty if GitHub has or shows none, or no rule uses them. */
  readonly fields: readonly IssueField[];
  /** Why the commits of the route's branch cannot be read; null if they can, or if bugs are not told of them. */
  readonly unreadCommits: string | null;
  /** The repository that holds the files; null for the route's own, or none. A string says why it is not visible. */
  readonly attachmentStore: RepositorySurvey | string | null;
  /** The place in it; null if there is none, or it is not visible. */
  readonly place: AttachmentStoreSurvey | null;
  /** Whether the tracker shows anything to readers without an account; null if not asked. */
  readonly isServed: boolean | null;
  /** What the tracker answered to the questions of a cycle. */
  readonly reads: readonly Read[];
}

/** One check. Without findings it passes, and `fine` says what that means. */
export interface Topic {
  readonly name: string;
  /** A text, or a function that makes one. */
  readonly fine: string | ((site: Site) => string);
  find(site: Site): readonly Finding[];
}
