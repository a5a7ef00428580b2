/**
 * What shows that a line belongs to a log, a trace, a session, code or a table. Each feature is one pattern of lines that people paste
 * into trackers.
 *
 *   alone    one such line is enough for a code block
 *   pair     two of them are
 *   inside   it belongs to the block that it stands in or directly below
 */
export type Strength = 'alone' | 'pair' | 'inside';

interface Feature {
  readonly name: string;
  readonly strength: Strength;
  readonly pattern: RegExp;
}

const clock = String.raw`\d\d:\d\d:\d\d`;
const level = '(?:TRACE|DEBUG|INFO|NOTICE|NOTE|WARN(?:ING)?|ERROR|FATAL|SEVERE|CRITICAL|LOG|PANIC)';

const features: readonly Feature[] = [
  // Logs
  { name: 'syslog', strength: 'alone', pattern: new RegExp(`^[A-Z][a-z]{2} +\\d{1,2} ${clock} \\S+ [^:]{1,60}: `, 'u') },
  { name: 'a kernel message', strength: 'alone', pattern: /^(?:<\d>)?\[ *\d+\.\d{3,6}\] /u },
  {
    name: 'a date, a time and a level',
    strength: 'alone',
    pattern: new RegExp(`^\\[?\\d{2,4}[-/.]?\\d\\d[-/.]?\\d\\d[T ] *\\d?\\d:\\d\\d.*\\b${level}\\b`, 'iu'),
  },
  { name: 'a time and a level', strength: 'alone', pattern: new RegExp(`^\\[?${clock}\\S* +\\[?${level}\\b`, 'u') },
  {
    name: 'a time',
    strength: 'pair',
    pattern: new RegExp(`^\\[?(?:\\d{4}[-/]\\d\\d[-/]\\d\\d[T ]|(?:[A-Z][a-z]{2} +\\d{1,2} )?)${clock}\\b`, 'u'),
  },
  { name: 'a time in brackets', strength: 'alone', pattern: /^\[\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d/u },
  { name: 'an access log', strength: 'alone', pattern: /^\S+ \S+ \S+ \[\d\d\/[A-Z][a-z]{2}\/\d{4}:/u },
  { name: 'an error log', strength: 'alone', pattern: /^\[[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d \d\d:/u },
  { name: 'a log of Android', strength: 'alone', pattern: /^\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} /u },
  { name: 'a process and its number', strength: 'alone', pattern: /^(?:\*\* )?\((?:node|process)?[\w./-]*:\d+\)[: ]/u },
  { name: 'a program and its number', strength: 'alone', pattern: /^[\w./-]+\[\d+\]: \S/u },
  { name: 'keys and values', strength: 'alone', pattern: /^(?:[\w.]+=(?:"[^"]*"|[^\s"]+)\s+){2,}[\w.]+=/u },
  { name: 'a level in front', strength: 'pair', pattern: new RegExp(`^\\[?${level}\\]?(?:[:(\\[ ]|$)`, 'u') },
  { name: 'a log of the X server', strength: 'pair', pattern: /^\((?:II|EE|WW|NI|\*\*|==|--|\+\+|!!)\) /u },
  {
    name: 'a program that complains',
    strength: 'pair',
    pattern:
      /^(?:hint|remote|error|fatal|warning|note|[EWN]|[\w./+-]+): (?:(?:fatal |internal )?(?:error|warning|fatal|hint)\b|cannot |could not |unable to |failed )/iu,
  },
  { name: 'a word of a program', strength: 'pair', pattern: /^(?:hint|remote|error|fatal|warning|[EW]): \S/iu },
  { name: 'an action in progress', strength: 'pair', pattern: /^(?:--? ?)?[A-Z][a-z]+(?:ing|ed)\b.*(?:\.\.\.|…)(?: \w+\.?)?$/u },
  { name: 'progress in percent', strength: 'alone', pattern: /^\[ *\d+(?:%|\/\d+)\] \S/u },
  { name: 'a method of Qt', strength: 'pair', pattern: /^[A-Za-z_]\w*(?:::~?\w+)+(?:\([^)]*\))?: \S/u },
  { name: 'a process in front', strength: 'alone', pattern: /^[\w.-]+\(\d+\)[/: ]|^type=[A-Z_]+ msg=audit/u },
  { name: 'a console', strength: 'pair', pattern: /^(?:JavaScript error|console\.\w+): |^\*\*\* [A-Z]/u },
  {
    name: 'a package manager',
    strength: 'pair',
    pattern: /^(?:Setting up|Unpacking|Preparing to unpack|Selecting previously|(?:Get|Hit|Err|Ign):\d+|dpkg: |Removed|Fetched) /u,
  },
  { name: 'the name of a service', strength: 'pair', pattern: /^[\w-]+(?:[._-]\d+)? +\| \S/u },

  // Traces
  {
    name: 'a frame of Java or JavaScript',
    strength: 'alone',
    pattern: /^\s*at \S(?:[^(]*\(.*\)?|.*:\d+\)?|.* in .*)(?: \{| in .*| \[.*)?$/u,
  },
  { name: 'more frames', strength: 'alone', pattern: /^\s*(?:\.\.\. \d+ (?:more|common frames omitted)|Suppressed: )/u },
  {
    name: 'an exception',
    strength: 'alone',
    pattern:
      /^(?:Caused by: |Exception in thread |Unhandled [Ee]xception|Uncaught )|^(?:[A-Za-z_$][\w$]*(?:\.|::))+[A-Z][\w$]*(?:Exception|Error|Throwable)?\b(?:: | \(|$)(?<=Exception|Error|Throwable|: | \()/u,
  },
  {
    name: 'an error by its name',
    strength: 'alone',
    pattern: /^[A-Z]\w*(?:Error|Exception)(?: \[?\w+\]?| \(\w[^)]*\))?(?::|$)|^Error: [A-Z]{4,}: /u,
  },
  { name: 'a trace of Python', strength: 'alone', pattern: /^Traceback \(most recent call last\):$|^\s*File "[^"]+", line \d+/u },
  {
    name: 'a frame of a debugger',
    strength: 'alone',
    pattern: /^\s*#\d+ {1,3}(?:0x[0-9a-f]+ (?:in )?|<signal|\S+ \(|\S.* (?:at|from) |\/|\{main\}|[\w\\]+(?:->|::))/iu,
  },
  {
    name: 'a debugger',
    strength: 'alone',
    pattern:
      /^\(gdb\)|^Program (?:received signal|terminated)|^Thread \d+ (?:\(|"|received)|^\[(?:New Thread|Switching to|KCrash|Thread debugging)|^0x[0-9a-f]{6,16} in |^\$\d+ = |^Using host libthread_db/u,
  },
  { name: 'what a debugger says of a frame', strength: 'inside', pattern: /^No (?:locals|symbol table info available)\.$|^\d+\t/u },
  { name: 'a checker of memory', strength: 'alone', pattern: /^==\d+==|^(?:SUMMARY|WARNING): \w+Sanitizer|^(?:READ|WRITE) of size \d+/u },
  {
    name: 'an oops',
    strength: 'alone',
    pattern:
      /^(?:BUG: |IP: \[|PGD |Oops: |Call Trace:|RIP: |[EP]C is at |LR is at |pgd = |Unable to handle kernel |Internal error: Oops|Modules linked in:|Code: (?:[0-9a-f<>()]{2,4} ){3})|^\s*\[<[0-9a-f]{8,16}>\]/u,
  },
  {
    name: 'numbers in hex',
    strength: 'alone',
    pattern:
      /^\s*(?:0x)?[0-9a-f]{6,16}:?\s+(?:[0-9a-f]{2,8} ){2,}|^\s*[0-9a-f]{3,16}:\s+(?:[0-9a-f]{2} ?)+(?:\s|$)|^\[?[0-9a-f]{6,16}-[0-9a-f]{6,16}\b/u,
  },
  { name: 'a place in a module', strength: 'alone', pattern: /^\s*(?:[0-9a-f]{8,16} |\d+ +)\S+(?:!\w|\.(?:exe|dll|so)\b)/u },
  {
    name: 'a panic',
    strength: 'alone',
    pattern: /^(?:panic: |goroutine \d+ \[|[Ff]atal error: |thread '[^']*' panicked|note: run with `|exit status \d+$|CallStack \()/u,
  },
  {
    name: 'a frame of Ruby or Go',
    strength: 'alone',
    pattern:
      /^\S+:\d+:in [`']|^\s*\S*@\S+:\d+(?::\d+)?$|^At .*:\d+ char:\d+$|^\s+\/\S+\.go:\d+|^[\w.\-/]+\.\(?\*?\w+\)?(?:\.\w+)?\([^)]*\)$/u,
  },
  {
    name: 'a place in a script',
    strength: 'alone',
    pattern: / at \S+ line \d+\.?$| in \S+(?::\d+| on line \d+)$|^PHP (?:Fatal error|Warning|Notice|Parse error): /u,
  },
  {
    name: 'the head of a trace',
    strength: 'inside',
    pattern: /^(?:Stack ?trace|Backtrace|During handling of |The above exception |\(See |\(Use |.*CallStack).*:?$|^called `/iu,
  },
  { name: 'a record of Eclipse', strength: 'alone', pattern: /^!(?:ENTRY|MESSAGE|STACK|SUBENTRY|SESSION)\b/u },
  {
    name: 'a report of a crash',
    strength: 'pair',
    pattern: /^(?:Crash (?:reason|address)|Process|Exception (?:Type|Codes)):? +\S|^Thread \d+ \(crashed\)/u,
  },

  // Compilers and builds
  {
    name: 'a message of a compiler',
    strength: 'alone',
    pattern:
      /^\S+?[:(]\d+(?:[:,.]\d+)?\)?\s?: (?:(?:fatal|internal compiler) )?(?:error|warning|note|remark)\b|^\S+\.\w+: (?:In|At) |^In file included from |^error\[\w+\]: |^\s*--> \S+:\d+|^\d+ (?:warnings?|errors?)(?: generated\.?)?$/iu,
  },
  { name: 'a place in a file', strength: 'pair', pattern: /^[\w./\\+-]+\.\w+:\d+(?::\d+)?[: ]/u },
  { name: 'source below a message', strength: 'inside', pattern: /^\s*\d* \|(?: |$)|^\s*[\^~+][\^~ +-]*$/u },
  { name: 'a linker', strength: 'alone', pattern: /^\S*\/?ld: |: undefined reference to |^collect2: |^compilation terminated\.$/u },
  {
    name: 'make',
    strength: 'alone',
    pattern: /^(?:g?make|mingw32-make|ninja)(?:\[\d+\])?: |^ {1,4}(?:CC|CXX|LD|CCLD|CXXLD|AR|GEN|MOC|HOSTCC|LINK)(?: \[M\])? +\S/u,
  },
  {
    name: 'a command of a compiler',
    strength: 'alone',
    pattern: /^(?:libtool: |(?:\S*\/)?(?:gcc|g\+\+|cc|c\+\+|clang(?:\+\+)?|cl|ld|ar|javac|rustc)(?:-\d+)? )(?:.* )?-\w/u,
  },
  {
    name: 'configure',
    strength: 'alone',
    pattern: /^checking (?:for|whether|if|how|build|host) .*\.\.\.|^configure: |^CMake (?:Error|Warning)/u,
  },
  {
    name: 'a step of a build',
    strength: 'pair',
    pattern:
      /^(?:-- |---> |> Task |\+ |>>> )\S|^Step \d+\/\d+ : |^FAILURE: |^\* (?:What went wrong|Try|ERROR|WARNING|Call stack)\b|^! [A-Z]|^l\.\d+ |^BUILD /u,
  },
  {
    name: 'a result of a test',
    strength: 'pair',
    pattern:
      /^(?:PASS|FAIL|XFAIL|XPASS|SKIP|ok|not ok)\b[: \t]|^\w+ \([\w.]+\) \.\.\. \w+$|^Ran \d+ tests? |^FAILED \(|^--- (?:PASS|FAIL)/u,
  },
  { name: 'a ruler', strength: 'inside', pattern: /^\s*[=_*-]{8,}\s*$|^\d+ of \d+ tests? /u },

  // Sessions
  { name: 'a shell', strength: 'alone', pattern: /^\[?[\w.-]+@[\w.-]+[: ][^\s$#>]*\]?[$#%>] ?|^[A-Z]:\\[^>]*>|^PS [A-Z]:\\|^~\S*> \S/u },
  {
    name: 'a shell of a language',
    strength: 'alone',
    pattern: /^(?:mysql|sqlite|MariaDB \S+|ftp|\w+=[#>])> ?|^\w+=[#>] |^irb\(.*\)|^=> \S|^>>> (?:import |from |\w[\w.]*\(|\w+ = |print\b)/u,
  },
  { name: 'R', strength: 'pair', pattern: /^> [\w.]+(?: <- |\()/u },
  { name: 'a list of files', strength: 'alone', pattern: /^[dlcbps-](?:[r-][w-][xsStT-]){3}[.+@]?\s+\d/u },
  {
    name: 'IMAP',
    strength: 'alone',
    pattern:
      /^\* (?:\d+ (?:EXISTS|RECENT|FETCH|EXPUNGE)|OK|NO|BAD|BYE|FLAGS|CAPABILITY|LIST|LSUB|SEARCH|STATUS|PREAUTH)\b|^(?:[A-Za-z]{0,2}\d{1,4}|\.) (?:OK|NO|BAD|LOGIN|LOGOUT|SELECT|EXAMINE|FETCH|CAPABILITY|UID|STORE|LIST|IDLE|APPEND|AUTHENTICATE|login|select|fetch|list)\b/u,
  },
  {
    name: 'two speakers',
    strength: 'pair',
    pattern: /^(?:[CS]|>>>|<<<|-->|<--): ?\S|^(?:>>>|<<<|-->|<--) [A-Z\d]|^[<>] (?:[A-Z][\w-]*: |(?:GET|POST|PUT|HEAD|DELETE) |HTTP\/)/u,
  },
  { name: 'SMTP', strength: 'alone', pattern: /^(?:EHLO|HELO|MAIL FROM:|RCPT TO:|STARTTLS$|QUIT$)|^[2-5]\d\d[ -]\d\.\d\.\d /iu },
  { name: 'an answer of a server', strength: 'pair', pattern: /^[2-5]\d\d[ -][A-Z\w]\S*/u },
  { name: 'HTTP', strength: 'alone', pattern: /^(?:GET|POST|PUT|DELETE|HEAD|OPTIONS|PATCH) \S+ HTTP\/\d|^HTTP\/\d(?:\.\d)? \d{3}/u },
  {
    name: 'a header',
    strength: 'inside',
    pattern:
      /^(?:Host|Accept[\w-]*|User-Agent|Content-[\w-]+|X-[\w-]+|ETag|If-[\w-]+|Cache-Control|Set-Cookie|Cookie|Location|Server|Date|Connection|Transfer-Encoding|Authorization|Vary|Expires|Last-Modified|Subject|From|To|Author|Merge): /u,
  },
  {
    name: 'a system call',
    strength: 'alone',
    pattern: /^(?:\d+ +)?\w+\(.*\) += (?:-?\d+|0x[0-9a-f]+|\?)|^(?:---|\+\+\+) .* (?:---|\+\+\+)$/u,
  },
  { name: 'a service', strength: 'alone', pattern: /^[●×○] \S+\.service/u },
  { name: 'a list of devices', strength: 'alone', pattern: /^(?:[0-9a-f]{4}:)?[0-9a-f]{2}:[0-9a-f]{2}\.\d |^Bus \d{3} Device \d{3}: ID /u },
  { name: 'a commit', strength: 'alone', pattern: /^commit [0-9a-f]{7,40}$/u },
  { name: 'a download', strength: 'alone', pattern: /^--\d{4}-\d\d-\d\d \d\d:\d\d:\d\d--|^\d+ bytes from |^PING \S+ \(|^traceroute to /u },

  // Code
  { name: 'a statement', strength: 'alone', pattern: /(?:[=(].*;|; (?:do|then))\s*(?:\/\/.*|\/\*.*)?$/u },
  { name: 'a line that ends like code', strength: 'pair', pattern: /(?:;|\{|\) \{|\};?|\],?|\);|\) do|; do|; then)\s*$/u },
  {
    name: 'a keyword',
    strength: 'pair',
    pattern:
      /^\s*(?:if|elif|else if|for|while|switch|def|class|function|return|import|from|var|let|const|public|private|protected|static|void|int|char|struct|enum|typedef|using|namespace|package|func|fn|sub|my|use|print|echo|case|try|catch|template|extern|module)\b.*[;{}():=,"<]\s*$/u,
  },
  { name: 'a call', strength: 'pair', pattern: /^\s*(?:[\w$]+(?:\.|->|::))*[\w$]+\(.*\);?\s*$/u },
  {
    name: 'an import',
    strength: 'pair',
    pattern: /^(?:import [\w.{*]+|from [\w.]+ import |use [\w:]+;|package [\w.]+;|main ::|main = do)/u,
  },
  { name: 'the head of a function', strength: 'pair', pattern: /^(?:[\w*&:<>~]+ +)+\*?[\w:~]+\([^()]*\)(?: const)?$/u },
  {
    name: 'the preprocessor',
    strength: 'pair',
    pattern: /^#\s*(?:include [<"]|define \w|ifdef \w|ifndef \w|endif|undef \w|pragma \w|if \w+)/u,
  },
  {
    name: 'SQL',
    strength: 'pair',
    pattern:
      /^\s*(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE (?:TABLE|INDEX|VIEW)|ALTER TABLE|FROM|WHERE|(?:LEFT |INNER |RIGHT )?JOIN|GROUP BY|ORDER BY|HAVING) \S/u,
  },
  { name: 'an element', strength: 'pair', pattern: /^\s*<[/?!]?[A-Za-z][\w:.-]*(?:\s[^<>]*)?\/?>.*$|^\s*\{%.*%\}\s*$/u },
  { name: 'a member of JSON', strength: 'pair', pattern: /^\s*"[\w$.@/-]+" ?: ?\S/u },
  { name: 'a member of YAML', strength: 'pair', pattern: /^ +(?:- )?[\w-]+:(?: \S+(?: \S+)?)?$/u },
  { name: 'a section', strength: 'pair', pattern: /^\[[\w ."/:-]+\]$|^Section "/u },
  { name: 'a setting', strength: 'pair', pattern: /^\s*[\w][\w.-]*(?:\[\w*\])? ?[:+?]?= ?\S/u },
  { name: 'a rule of make', strength: 'pair', pattern: /^[\w.%-]+: [\w.%-]+(?:\.\w+| \w+\.o)+$/u },
  { name: 'Lisp', strength: 'pair', pattern: /^\s*\((?:def\w*|let\*?|if|or|and|setq|lambda|cond) .*|^.*\)\)+\s*$/u },
  {
    name: 'a bracket',
    strength: 'inside',
    pattern: /^\s*[{}[\]()]+[;,]?\s*$|^\s*(?:end|fi|done|esac|else|EndSection)\s*;?$|^\s*<\/[\w:-]+>$|^\w+:$/u,
  },
  { name: 'a comment', strength: 'inside', pattern: /^\s*(?:\/\/|\/\*|\*\/|# |;; |-- )/u },

  // Tables
  { name: 'bars', strength: 'pair', pattern: /^\s*[|+].*[|+]\s*$/u },
  { name: 'columns', strength: 'pair', pattern: /\S(?: {3,}|\s*\t\s*)\S/u },
  { name: 'rules between columns', strength: 'pair', pattern: /^\s*[-=]{2,}(?: +[-=]{2,})+$/u },
];

/** What a line is shows at its beginning; in a very long one, some patterns would take quadratic time. */
const lengthMax = 2_000;

/** The strongest of the features of a line; null if it has none. */
export function strengthOf(line: string): Strength | null {
  const head = line.slice(0, lengthMax);
  let found: Strength | null = null;
  for (const { pattern, strength } of features) {
    if (strength === found || (found === 'pair' && strength === 'inside') || !pattern.test(head)) continue;
    if (strength === 'alone') return strength;
    found = strength;
  }
  return found;
}
