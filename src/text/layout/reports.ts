import { isProse } from './sentences.ts';

/** What a program writes in several parts, with empty lines and words between them, and sessions with a language. */
interface Report {
  readonly head: RegExp;
  /** Beginnings of its lines. */
  readonly own: readonly RegExp[];
  /** In a session, every line directly below another one that is no sentence is its own. */
  readonly isSession?: true;
  /** If present, one of its lines has to look so, as people quote mails with the same sign. */
  readonly certain?: RegExp;
}

const versionOfR = /^R (?:version \d|Under development|version \S+ Patched).*\(\d{4}-\d\d-\d\d/u;
/** What R says of itself, whether its prompts were copied or not. */
const aboutR = [
  versionOfR,
  /^(?:Platform|Running under|Matrix products|BLAS|LAPACK|locale|time zone|tzcode source|Random number generation|RNG|Normal|Sample): ?/u,
  /^ *(?:BLAS|LAPACK|RNG|Normal|Sample): /u,
  /^(?:attached base packages|other attached packages|loaded via a namespace \(and not attached\)):$/u,
  /^ *\[\d+\] \S/u,
];

const reports: readonly Report[] = [
  {
    // Source: compiler-rt/lib, folders asan, lsan, msan, tsan and ubsan.
    head: /^(?:(?:==\d+==)?\s*(?:ERROR|WARNING): \w+Sanitizer\b|\S+:\d+:\d+: runtime error: )/u,
    own: [
      /^\s*(?:={8,}$|==\d+==|#\d+ |\.\.\.$|Exiting$|SUMMARY: \w+Sanitizer|(?:Hint|HINT): )/u,
      /^\s*(?:ERROR|WARNING): \w+Sanitizer|^\w+Sanitizer can not provide |^\S+:\d+:\d+: runtime error: /u,
      /^\s*(?:(?:Previous )?(?:atomic )?(?:read|write) of size \d|(?:previously )?(?:freed|allocated) by )/iu,
      /^\s*(?:(?:Ind|D)irect leak of \d|Objects leaked above:|(?:Address )?0x[\da-f]+ (?:is|\()|(?:=>)?0x[\da-f]+:)/u,
      /^\s*(?:Thread T\d|Mutex M\d|Location is |Cycle in lock order|Uninitialized value was |Memory was marked as )/u,
      /^\s*(?:This frame has \d+ object|\[\d+, \d+\) '|Shadow byte|Register values:|\w+ = 0x[\da-f]{8})/u,
      /^\s*[A-Z][\w' /-]+: +[\da-f]{2}(?: [\da-f]{2})*$/u,
    ],
  },
  {
    head: /^CMake (?:Error|(?:Deprecation )?Warning)\b/u,
    own: [
      /^ {2,}\S/u,
      /^(?:CMake (?:Error|(?:Deprecation )?Warning)\b|Call Stack \(|This warning is for project )/u,
      /^(?:-- (?:Configuring|Generating) |See also ")/u,
    ],
  },
  { head: /^npm (?:ERR!|error)(?: |$)/u, own: [/^npm (?:ERR!|WARN|error|warn|notice)(?: |$)/u] },
  {
    head: /^ Volume in drive [A-Z] /u,
    own: [/^ (?:Volume|Directory of) \S/u, /^\d\d[./-]\d\d[./-]\d{2,4} /u, /^ +\d[\d.,]* (?:File|Dir)\(s\)/u],
  },
  {
    head: /^Summary of my perl5 \(/u,
    own: [/^ {2,}\S/u, /^(?:Characteristics of this binary|Locally applied patches)/u],
  },
  {
    // Source: portage, lib/portage and bin/isolated-functions.sh.
    head: /^(?:>>> (?:Emerging \S*\s?\(\d|Verifying ebuild|Running pre-merge|Unpacking |Source |(?:Preparing|Configuring|Compiling) source|Test phase|Install(?:ing)? |Completed installing|Failed to |Jobs: \d)| \* (?:ERROR: |QA Notice: |Package: +\S))/u,
    own: [/^>>> [A-Z]\w+/u, /^ \*(?: |$)/u],
  },
  {
    head: /^Portage \d\S* \(python /u,
    own: [
      /^(?:={8,}$|System uname: |KiB |Timestamp of |Head commit |(?:sh|ld|distcc|ccache) |Repositories:$|Installed sets: |Unset: )/u,
      /^[\w-]+\/[\w+-]+: +\S/u,
      /^[A-Z]\w*="/u,
      /^ {4}[\w-]+: /u,
      /^[a-z][\w-]*$/u,
    ],
  },
  { head: versionOfR, own: aboutR },
  {
    head: /^Server version: Apache\//u,
    own: [
      /^Server(?:'s)? [\w ]+: /u,
      /^Architecture: |^(?:Compiled|Loaded) using: |^Server compiled with/u,
      /^ (?:-D \w| +\w+:)/u,
    ],
  },
  {
    head: /^(?:EXCEPTION_RECORD|FAULTING_IP|STACK_TEXT|FOLLOWUP_IP|BUGCHECK_\w+|ExceptionAddress):(?: |$)/u,
    own: [
      /^[A-Z][A-Z_]{4,}:(?: |$)/u,
      /^\s*(?:Exception(?:Address|Code|Flags)|NumberParameters|Parameter\[\d\]): /u,
      /^[\da-f`]{8,17} [\da-f`]{8,17} /u,
      /^Attempt to |^\w+!\S+/u,
    ],
  },
  {
    head: /^"[^"]+" .*(?: |_)prio=\d/u,
    own: [/^"[^"]+" .*(?: |_)prio=\d/u, /^ {3}java\.lang\.Thread\.State: /u, /^\s+(?:at|-) /u, /^ {3}No compile task/u],
  },
  {
    head: /^(?:LaTeX (?:Font )?Warning: |(?:Over|Under)full \\[hv]box |! (?:LaTeX Error|Undefined control|Missing |Package ))/u,
    own: [
      /^(?:LaTeX (?:Font )?Warning: |(?:Over|Under)full \\[hv]box |! [A-Z])/u,
      /^l\.\d+ |^\?$|^Type {2}H |^See the \w+ /u,
      /^ {2,}\S/u,
    ],
  },
  {
    head: /^(?:julia|(?:Prelude|ghci|\*\w+)(?: [\w.]+)*)> \S/u,
    own: [
      /^(?:julia|shell|help\?|\(\S+\) pkg|(?:Prelude|ghci|\*\w+)(?: [\w.]+)*)>(?: |$)/u,
      /^\s+\S/u,
      /^(?:ERROR: |Stacktrace:|Closest candidates are:|caused by: |<interactive>:)/u,
    ],
    isSession: true,
  },
  {
    head: /^>>> (?:import |from |print\b|\w[\w.]*\(|\w+ = )/u,
    own: [/^(?:>>>|\.\.\.)(?: |$)/u, /^Traceback \(most recent|^ {2,}\S/u],
    isSession: true,
  },
  {
    // Octave and Matlab.
    head: /^>> \w+(?:\(| = |$)/u,
    own: [/^>>(?: |$)/u, /^\w+ =(?: |$)|^error: /u, /^ +\S/u],
    isSession: true,
    certain: /^\w+ =$|^error: |^ans = /u,
  },
  {
    // R, and node.
    head: /^> (?:[\w.]+(?:[[$][^<=]*)?(?: ?<- ?| = )\S|[\w.]+(?:::+[\w.]+)?\(|(?:const|let|var) \w|(?:for|if|while) ?\(|[\w.$]+$)/u,
    own: [
      ...aboutR,
      /^[>+](?: |$)/u,
      /^\s*\[\[?\d[\d,]*\]/u,
      /^\s+\S/u,
      /^\d+:? /u,
      /^(?:Error|Warning|Warning messages?|In addition|Traceback|Calls|Call|Coefficients|Levels|Residuals)\b.*:/u,
      /^(?:Error in |Execution halted|NULL$|(?:numeric|character|integer|logical)\(0\)$|Loading required package|Attaching package)/u,
      /^\S+(?: +-?\d[\d.e+-]*)+$/u,
    ],
    isSession: true,
    certain:
      /^> (?:[\w.$[\]]+ ?<- ?\S|.*\b(?:library|require|sessionInfo|traceback|data\.frame|c|set\.seed|summary|str|print)\()|^Error in .*:|^ *\[1\] \S|^R version \d|^undefined$|^Uncaught \w+Error/u,
  },
];

const fence = /^(?:`{3,}|~{3,})/u;

export interface ReportMatch {
  /** Number of lines of the report; less than two if none begins here. */
  readonly length: number;
  /** Number of lines looked at: no report begins at any of them if none begins at the first. */
  readonly seen: number;
}

export function reportAt(lines: readonly string[], at: number): ReportMatch {
  const first = /^={8,}$/u.test(lines[at] ?? '') ? at + 1 : at;
  const report = reports.find(({ head }) => head.test(lines[first] ?? ''));
  if (report === undefined) return { length: 0, seen: 1 };
  const { own, isSession, certain } = report;
  let end = first + 1;
  let isCertain = certain === undefined || certain.test(lines[first] ?? '');
  for (let next = end; next < lines.length && next - end < 3; next += 1) {
    const line = lines[next] ?? '';
    if (line === '') continue;
    // Of a mail, people quote sentences as well.
    if (isSession && /^>+ \p{L}/u.test(line) && isProse(line.replace(/^>+ /u, '')))
      return { length: 0, seen: next + 1 - at };
    const isLoose = isSession && next === end && !isProse(line) && !fence.test(line);
    if (!isLoose && !own.some((beginning) => beginning.test(line))) break;
    isCertain ||= certain?.test(line) === true;
    end = next + 1;
  }
  return { length: isCertain ? end - at : 0, seen: end - at };
}
