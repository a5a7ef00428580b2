import { lately } from './lately.ts';

/**
 * What shows that a line belongs to a log, a trace, a session, code or a table. Each feature is one pattern of lines
 * that people paste into trackers.
 */
export type Strength = 'alone' | 'pair' | 'inside';

type Patterns = Readonly<Record<string, RegExp>>;

const clock = String.raw`\d\d:\d\d:\d\d`;
const reason =
  '(?:No such file or directory|Permission denied|Connection (?:refused|reset by peer|timed out)|Operation (?:not permitted|timed out)|Device or resource busy|Invalid argument|Broken pipe|Input/output error|Cannot allocate memory|Is a directory|Not a directory|File exists|Address already in use|Too many open files|No space left on device|command not found|Name or service not known)';
const level = '(?:TRACE|DEBUG|INFO|NOTICE|NOTE|WARN(?:ING)?|ERROR|FATAL|SEVERE|CRITICAL|LOG|PANIC)';

/** The prompts of shells. */
export const shell =
  /^(?:ba|z|k)?sh-\d[\d.]*[$#] |^[\w-]+:[~/]\S*[#$] |^(?:s?ftp|telnet|nslookup)> |^\[?[\w.-]+@[\w.-]+[: ][^\s$#>]*\]?[$#%>] ?|^[\w.-]+(?:@[\w.-]+)? [~/][^\s$#>]* [$#%>] \S|^\[[\w:.~/@ -]{1,40}\][^\s$#%>]{0,40}[$#%>] ?[\w.~/]|^[A-Z]:\\[^>]*>|^PS [A-Z]:\\|^~\S*> \S|^[A-Z][a-z]+-[A-Z]\w+ : \S/u;

/** With a tag of one letter. */
export const imapCommand =
  /^[a-z] (?:append|create|delete|examine|login|logout|noop|rename|select|uid \w+|[gs]et(?:acl|quota|annotation|metadata)\w*)(?: [^\s.!?,]\S*){0,3}$/iu;

/** One such line is enough for a block of code. */
const alone: Patterns = {
  // Logs
  syslog: new RegExp(`^[A-Z][a-z]{2} +\\d{1,2} ${clock} \\S+ [^:]{1,120}: `, 'u'),
  'a date, a time and a process': /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\S* (?:\S+ )?\S+\[\d+[:\]]/u,
  'a kernel message': /^(?:<\d>)?\[ *\d+\.\d{3,6}\] /u,
  'a date, a time and a level': new RegExp(
    `^\\[?\\d{2,4}[-/.]?\\d\\d[-/.]?\\d\\d[T ] *\\d?\\d:\\d\\d.*\\b${level}\\b`,
    'iu',
  ),
  'a time and a level': new RegExp(`^\\[?${clock}\\S* +\\[?${level}\\b`, 'u'),
  'a time that passed and a level': /^ {0,2}\d+:\d\d\.\d\d (?:INFO|WARNING|ERROR): /u,
  'a time in brackets': /^\[\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d/u,
  'an access log': /^\S+ \S+ \S+ \[\d\d\/[A-Z][a-z]{2}\/\d{4}:/u,
  'an error log': /^\[[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d \d\d:/u,
  'a log of Android': /^\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} /u,
  'a process and its number': /^(?:\*\* )?\((?:node|process)?[\w./-]*:\d+\)[: ]/u,
  'a program and its number': /^[\w./-]+\[\d+\]: \S/u,
  'keys and values': /^(?:[\w.]+=(?:"[^"]*"|[^\s"]+)\s+){2,}[\w.]+=/u,
  'a record of JSON': /^\{"[\w@.-]+": ?\S.*\}$/u,
  'progress in percent': /^\[ *\d+(?:%|\/\d+)\] \S/u,
  'a process in front': /^[\w.-]+\(\d+\)[/: ]|^type=[A-Z_]+ msg=audit/u,
  'a level and a number': /^(?:ERRO|WARN|INFO|FATA|DEBU)\[\d+\] |^debug\d: /u,
  'a log of a program with its own form':
    /^[VDIWEF]\/[\w.$:-]+ *(?:\( *\d+\))?: |^[IWEF]\d{4} \d\d:\d\d:\d\d|^\[\d+:\d+:\d{4}\/\d{6}|^\d{10}\.\d{3} +\d|^-- (?:Logs begin|Reboot|Journal begins)|^\d\d?-[A-Z][a-z]{2}-\d{4} \d\d:\d\d:\d\d|^[A-Z][a-z]{2} \d{1,2}, \d{4} \d{1,2}:\d\d:\d\d [AP]M |^\(\S+:\d+\): \S+-(?:WARNING|CRITICAL|ERROR|Message)|^\*\* (?:Message|WARNING|CRITICAL)|^ALSA lib |^X Error of failed request:|^ {2}(?:Major|Minor) opcode of |^ {2}(?:Resource id|Serial number|Current serial number|Value) in |, file \S+, line \d+$/u,
  'a log that goes on elsewhere':
    /^(?:-- )?last message (?:repeated|buffered) \d+ times|^A (?:complete|full) log (?:of this run )?can be found (?:in|at)\b/u,
  'an end by a signal':
    /^(?:Aborted|Segmentation fault|Bus error|Illegal instruction|Killed|Floating point exception)(?: \(core dumped\))?$|\(core dumped\)$/u,
  'the usage of a program': /^[Uu]sage: \S+ +(?:\[|<|-|[A-Z]{2})/u,
  // Traces
  'a frame of another language':
    /^\s*from \S+:\d+:in |^\s*\[C\]: |^stack traceback:$|^\s+\[\d+\] .* at \S+:\d+|^(?:Raised|Called|Re-raised) (?:at|from|by) .*line \d|^\s+(?:while executing|invoked from within)$|^\s+\(procedure "|^Error in .* : |^Calls: .* -> |^Execution halted$|^stack backtrace:$|^\s+\(\S+ [\d.]+\) \S+:\d+: /u,
  'a place in memory':
    /^\*\*\* glibc detected|^={3,} (?:Backtrace|Memory map)|\[0x[0-9a-f]{6,16}\]$|\+0x[0-9a-f]+\/0x[0-9a-f]+|^\s*\d+ +\S+ +0x[0-9a-f]{8,16} |^[ER][A-Z]{2}: [0-9a-f]{4,16}\b|^Thread \d+ Crashed/u,
  'a frame of Java or JavaScript': /^\s*at \S(?:[^(]*\(.*\)?|.*:\d+\)?|.* in .*)(?: \{| in .*| \[.*)?$/u,
  'more frames': /^\s*(?:\.\.\. \d+ (?:more|common frames omitted)|Suppressed: )/u,
  'an exception':
    /^(?:Caused by: |Exception in thread |Unhandled [Ee]xception|Uncaught )|^(?:[A-Za-z_$][\w$]*(?:\.|::))+[A-Z][\w$]*(?:Exception|Error|Throwable)?\b(?:: | \(|$)(?<=Exception|Error|Throwable|: | \()/u,
  'an error by its name': /^[A-Z]\w*(?:Error|Exception)(?: \[?\w+\]?| \(\w[^)]*\))?(?::|$)|^Error: [A-Z]{4,}: /u,
  'an error by its number': /^[A-Z]{2,4}-?\d{4,5}: \S|^\*\* \([A-Z]\w+\) |^\S+: \S+\.\w+:\d+: \S/u,
  'what stands around a trace': /^terminate called (?:after|without)\b|^\s*--- End of (?:\w+ )*stack trace\b.*---$/u,
  'a trace of Python': /^Traceback \(most recent call last\):$|^\s*File "[^"]+", line \d+/u,
  'a frame of a debugger':
    /^\s*#\d+ {1,3}(?:0x[0-9a-f]+ (?:in )?|<signal|\S+ \(|\S.* (?:at|from) |\/|\{main\}|[\w\\]+(?:->|::))/iu,
  'a debugger':
    /^\(gdb\)|^Program (?:received signal|terminated)|^Thread \d+ (?:\(|"|received|Crashed)|^\[(?:New Thread|Switching to|KCrash|Thread debugging)|^0x[0-9a-f]{6,16} in |^\$\d+ = |^Using host libthread_db|^Core was generated by |^Reading symbols from |^GNU gdb /u,
  'a checker of memory': /^==\d+==|^(?:SUMMARY|WARNING): \w+Sanitizer|^(?:READ|WRITE) of size \d+/u,
  'an oops':
    /^(?:BUG: |IP: \[|PGD |Oops: |Call Trace:|RIP: |[EP]C is at |LR is at |pgd = |Unable to handle kernel |Internal error: Oops|Modules linked in:|Code: (?:[0-9a-f<>()]{2,4} ){3})|^\s*\[<[0-9a-f]{8,16}>\]/u,
  'numbers in hex':
    /^\s*(?:0x)?[0-9a-f]{6,16}:?\s+(?:[0-9a-f]{2,8} ){2,}|^\s*[0-9a-f]{3,16}:\s+(?:[0-9a-f]{2} ?)+(?:\s|$)|^\[?[0-9a-f]{6,16}-[0-9a-f]{6,16}\b/u,
  'a place in a module': /^\s*(?:[0-9a-f]{8,16} |\d+ +)\S+(?:!\w|\.(?:exe|dll|so)\b)/u,
  'a panic':
    /^(?:panic: |goroutine \d+ \[|[Ff]atal error: |thread '[^']*' panicked|note: run with `|exit status \d+$|CallStack \()/u,
  'a frame of Ruby or Go':
    /^\S+:\d+:in [`']|^\s*\S*@\S+:\d+(?::\d+)?$|^At .*:\d+ char:\d+$|^\s+\/\S+\.go:\d+|^[\w.\-/]+\.\(?\*?\w+\)?(?:\.\w+)?\([^)]*\)$/u,
  'a place in a script':
    / at \S+ line \d+\.?$|', \S*\/\S+\.\w+:\d+(?::\d+)?$| in \S+(?::\d+| on line \d+)$|^PHP (?:Fatal error|Warning|Notice|Parse error): /u,
  'a record of Eclipse': /^!(?:ENTRY|MESSAGE|STACK|SUBENTRY|SESSION)\b/u,
  // Compilers and builds
  'a message of a compiler':
    /^(?:<[\w ]+>|\S+?)[:(]\d+(?:[:,.]\d+)?\)?(?:\s?:|: \d+:\d+) (?:(?:fatal|internal compiler) )?(?:error|warning|note|remark|help)\b|^\S+\.\w+: (?:In|At) |^"[^"]+", line \d+: (?:error|warning)\b|^In file included from |^error\[\w+\]: |^\s*--> \S+:\d+|^\d+ (?:warnings?|errors?)(?: generated\.?)?$/iu,
  'a place that a compiler names':
    /^[\w./+-]+\.\w+:\d+(?::\d+)?: (?:\S+: No such file or directory$|.* undeclared\b|\(Each undeclared |for each function it |(?:parse|syntax) error\b)/u,
  'a place that a linker names': /^\S+: In function [`'‘]/u,
  'what a compiler says last': /^error: (?:aborting due to|could not compile) /u,
  'a reason of a system': new RegExp(String.raw`^[\w.@…/+-]+: (?:.*[:(] ?)?${reason}(?: \([^)]*\))?\.?$`, 'iu'),
  'a shell that knows no such command':
    /^'[^']+' is not recognized as an internal or external command,$|^operable program or batch file\.$/u,
  'a linker': /^\S*\/?ld: |: undefined reference to(?: |$)|^collect2: |^compilation terminated\.$/u,
  make: /^(?:g?make|mingw32-make|ninja)(?:\[\d+\])?: |^ {1,4}(?:CC|CXX|LD|CCLD|CXXLD|AR|GEN|MOC|HOSTCC|LINK)(?: \[M\])? +\S/u,
  'a command of a compiler':
    /^(?:libtool: |(?:\S*\/)?(?:gcc|g\+\+|cc|c\+\+|clang(?:\+\+)?|cl|ld|ar|javac|rustc)(?:-\d+)? )(?:.* )?-\w/u,
  configure: /^checking (?:for|whether|if|how|build|host) .*\.\.\.|^configure: |^CMake (?:Error|Warning)/u,
  'a program that tests':
    /^={3,} .* ={3,}$|^(?:FAILED|PASSED|ERROR) \S+::|^E {3,}\S|^test \S+ \.\.\. \w+$|^running \d+ tests?$|^failures:$|^---- .* ----$|^test result: |^\s*[●✓✕✗✔] .*›|^\S+:\d+: \w+Error$/u,
  'a program that deploys':
    /^(?:TASK|PLAY)\b.* \*{3,}$|^(?:ok|changed|fatal|skipping|failed): \[|^\S+ +: ok=\d|^\* (?:What went wrong|Try):$|^FAILURE: Build|^Execution failed for task/u,
  // Sessions
  'a shell': shell,
  'a shell of a language':
    /^(?:mysql|sqlite|MariaDB \S+|ftp|\w+=[#>])> ?|^\w+=[#>] |^irb\(.*\)|^>>> (?:import |from |\w[\w.]*\(|\w+ = |print\b)/u,
  'the first words of a shell':
    /^Python \d\.\d+\.\d+ \(.*\d\d:\d\d:\d\d\)|^\[(?:GCC|Clang|MSC) .*\] on \w+$|^Type "(?:help|copyright)"/u,
  'a list of files': /^[dlcbps-](?:[r-][w-][xsStT-]){3}[.+@]?\s+\d/u,
  IMAP: /^\* (?:\d+ (?:EXISTS|RECENT|FETCH|EXPUNGE)|OK|NO|BAD|BYE|FLAGS|CAPABILITY|LIST|LSUB|E?SEARCH|SORT|THREAD|STATUS|PREAUTH|QUOTA|QUOTAROOT|ACL|MYRIGHTS|LISTRIGHTS|NAMESPACE|ANNOTATION|METADATA|ENABLED|ID)\b|^[A-Za-z] (?:OK|NO|BAD) \w|^(?:[A-Za-z]{0,2}\d{1,4}|\.) (?:OK|NO|BAD|LOGIN|LOGOUT|SELECT|EXAMINE|FETCH|CAPABILITY|UID|STORE|LIST|IDLE|APPEND|AUTHENTICATE|CREATE|DELETE|RENAME|STATUS|SEARCH|COPY|NOOP|CLOSE|EXPUNGE|SUBSCRIBE|LSUB|[GS]ETQUOTA|[GS]ETACL|[GS]ETANNOTATION|[GS]ETMETADATA|LISTRIGHTS|login|logout|select|fetch|list|search|status|create|[gs]etquota|[gs]etmetadata)\b/u,
  SMTP: /^(?:Received: from |EHLO|HELO|LHLO|MAIL FROM:|RCPT TO:|STARTTLS$|QUIT$)|^[2-5]\d\d[ -]\d\.\d\.\d /iu,
  'a log of a protocol': /^[<>]\d{6,}[<>]/u,
  HTTP: /^(?:GET|POST|PUT|DELETE|HEAD|OPTIONS|PATCH) \S+ HTTP\/\d|^HTTP\/\d(?:\.\d)? \d{3}/u,
  'a system call':
    /^(?:\d+ +)?\w+\(.*\) += (?:-?\d+|0x[0-9a-f]+|\?)|^(?:---|\+\+\+) (?:exited with|killed by|stopped by|SIG[A-Z]+\b).* (?:---|\+\+\+)$/u,
  'version control':
    /^(?:On branch \S+$|Your branch is |Changes (?:not staged|to be committed)|Untracked files:$|Cloning into '|nothing to commit\b|Switched to (?:a new )?branch| ! \[)/u,
  'a connection':
    /^ {0,3}(?:\d+ s|i|a|v):(?:\/?[A-Z]{1,2} ?= ?|NotBefore)|^(?:\+OK\b|-ERR |depth=\d|verify (?:error|return):|CONNECTED\(|\* Connected to )/u,
  'a part of a system': /^\d+: [\w@.-]+: <[A-Z_,]+>|^ \S+ : (?:Depends|Conflicts): |^Linux \S+ \d.*Linux$/u,
  'an answer about a query': /^(?:HINT|DETAIL|CONTEXT|STATEMENT|LINE \d+): +\S|\(cost=\d+\.\d/u,
  'a service': /^[●×○] \S+\.service/u,
  'a list of devices': /^(?:[0-9a-f]{4}:)?[0-9a-f]{2}:[0-9a-f]{2}\.\d |^Bus \d{3} Device \d{3}: ID /u,
  'what a commit changes': /^ \S+ +\| +(?:\d+ [+-]+$|Bin \d)|^ \d+ files? changed, /u,
  'a commit': /^commit [0-9a-f]{7,40}$|^(?=\d*[a-f])(?=[a-f]*\d)[0-9a-f]{7,40} \S/u,
  'a download':
    /^--\d{4}-\d\d-\d\d \d\d:\d\d:\d\d--|^\d+ bytes from |^PING \S+ \(|^--- .* statistics ---$|^\d+ packets transmitted|^traceroute to /u,
  // Code
  'a script': /^#! ?\/\S|^\s*<\?php$/u,
  'a statement': /(?:[=(].*;|; (?:do|then))\s*(?:\/\/.*|\/\*.*)?$/u,
  // Tables
  'rules that cross': /^\s*[=-]{3,}(?:\+{1,2}[=-]{2,})+\+?\s*$/u,
  'a rule between bars': /^\s*:?-{2,}:?(?:\s*[|+]\s*:?-{2,}:?)+\s*$/u,
  'drawn lines': /^\s*[│├└┌╷╵]/u,
};

/** Two of them are. */
const pair: Patterns = {
  // Logs
  'a time':
    /^\[?(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? )?(?:\d{4}[-/]\d\d[-/]\d\d[T ]|[A-Z][a-z]{2} +\d{1,2} |\d{1,2}[ ./-](?:[A-Z][a-z]{2}|\d{1,2})[ ./-]\d{2,4}[ :]+)?\d{1,2}:\d\d:\d\d\b/u,
  'a device': /^[a-z]{2,10}(?:\d+(?:[.-]\d+)*| \d+[-:.][\d.:-]*): \S/u,
  'a level in front': new RegExp(`^\\[?${level}\\]?(?:[:(\\[ ]|$)`, 'u'),
  'a log of the X server': /^\((?:II|EE|WW|NI|\*\*|==|--|\+\+|!!)\) /u,
  'a program that complains':
    /^(?:hint|remote|error|fatal|warning|note|[EWN]|[\w.@/+-]+): (?:(?:fatal |internal )?(?:error|warning|fatal|hint)\b|cannot |could not |unable to |failed |permission denied|no such |command not found)/iu,
  'a word of a program': /^(?:hint|remote|error|fatal|warning|[EW]): \S/iu,
  'an action in progress': /^(?:--? ?)?[A-Z][a-z]+(?:ing|ed)\b.*(?:\.\.\.|…)(?: \w+\.?)?$/u,
  'a method of Qt': /^[A-Za-z_]\w*(?:::~?\w+)+(?:\([^)]*\))?: \S/u,
  'a console': /^(?:JavaScript error|console\.\w+): |^\*\*\* [A-Z]/u,
  'a package manager':
    /^(?:Setting up|Unpacking|Preparing to unpack|Selecting previously|(?:Get|Hit|Err|Ign):\d+|dpkg: |Removed|Fetched) /u,
  'the name of a service': /^[\w-]+(?:[._-]\d+)? +\| \S/u,
  // Traces
  'a report of a crash':
    /^(?:Crash (?:reason|address)|Process|Exception (?:Type|Codes)):? +\S|^Thread \d+ \(crashed\)/u,
  // Compilers and builds
  'a place in a file': /^[\w./\\+-]+\.\w+:\d+(?::\d+)?(?:[: ]|$)/u,
  'a step of a build':
    /^ {1,12}(?:Compiling|Checking|Finished|Running|Updating|Download(?:ing|ed)|Documenting|Installing) \S|^(?:-- |---> |> Task |\+ |>>> )\S|^Step \d+\/\d+ : |^FAILURE: |^\* (?:What went wrong|Try|ERROR|WARNING|Call stack)\b|^! [A-Z]|^l\.\d+ |^BUILD /u,
  'a result of a test':
    /^(?:PASS|FAIL|XFAIL|XPASS|SKIP|ok|not ok)\b(?:[: \t]|$)|^\w+ \([\w.]+\) \.\.\. \w+$|^Ran \d+ tests? |^FAILED \(|^--- (?:PASS|FAIL)/u,
  // Sessions
  'a command of another shell': /^% [a-z][\w./-]*(?: |$)/u,
  'a command': /^(?:make|npm|cargo|go|ninja) (?!fails|says|stops|dies|is)[a-z-]+$/u,
  R: /^> [\w.]+(?: <- |\()/u,
  'two speakers':
    /^(?:[CS]|>>>|<<<|-->|<--): ?\S|^(?:>>>|<<<|-->|<--) [A-Z\d]|^[<>] (?:[A-Z][\w-]*: |(?:GET|POST|PUT|HEAD|DELETE) |HTTP\/)/u,
  'a command of IMAP': imapCommand,
  'an answer of a server': /^[2-5]\d\d[ -][A-Z\w]\S*/u,
  'a coded text': /^-----(?:BEGIN|END) [A-Z ]+-----$|^[A-Za-z0-9+/]{40,}={0,2}$/u,
  // Code
  'a line that ends like code': /(?:;|\{|\) \{|\};?|(?<!(?:^|\s)\[\d{1,3})\],?|\);|\) do|; do|; then)\s*$/u,
  'a keyword':
    /^\s*(?:if|elif|else if|for|while|switch|def|class|function|return|import|from|var|let|const|public|private|protected|static|void|int|char|struct|enum|typedef|using|namespace|package|func|fn|sub|my|use|print|echo|case|try|catch|template|extern|module)\b(?!:$).*[;{}():=,"<]\s*$/u,
  'a call': /^\s*(?:[\w$]+(?:\.|->|::))*[\w$]+!?\(.*\);?\s*$/u,
  'an import': /^(?:import [\w.{*]+|from [\w.]+ import |use [\w:]+;|package [\w.]+;|main ::|main = do)/u,
  'the head of a function': /^(?:[\w*&:<>~]+ +)+\*?[\w:~]+\([^()]*\)(?: const)?$/u,
  'the preprocessor': /^#\s*(?:include [<"]|define \w|ifdef \w|ifndef \w|endif|undef \w|pragma \w|if \w+)/u,
  SQL: /^\s*(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE (?:TABLE|INDEX|VIEW)|ALTER TABLE|FROM|WHERE|(?:LEFT |INNER |RIGHT )?JOIN|GROUP BY|ORDER BY|HAVING) \S/u,
  'a type': /^\s*[\w, ()]+ :: \S|^(?:end )?(?:program|module|subroutine) \w+(?: where)?$/u,
  'an image': /^(?:FROM \S+:\S+|RUN \S+ |COPY \S+ \S|(?:CMD|ENTRYPOINT) \[|WORKDIR \/|EXPOSE \d)/u,
  'an element': /^\s*<[/?!]?[A-Za-z][\w:.-]*(?:\s[^<>]*)?\/?>.*$|^\s*\{%.*%\}\s*$/u,
  'a member of JSON': /^\s*"[\w$.@/-]+" ?: ?\S/u,
  'a member of YAML': /^ +(?:- )?[\w-]+:(?: \S+(?: \S+)?)?$/u,
  'a section': /^\[(?!\d+\]$)[\w ."/:-]+\]$|^Section "/u,
  'a setting': /^ +[A-Z][\w.]*(?: [\w.]+){1,3} += \S|^\s*[\w][\w.-]*(?:\[\w*\])? ?[:+?]?= ?\S/u,
  'an assignment': /^\s*[\w.]+(?:[[$(][^<=]*)? ?<<?- ?\S/u,
  'a remark in code': /^\s*\/\//u,
  'a rule of make': /^[\w.%-]+: [\w.%-]+(?:\.\w+| \w+\.o)+$/u,
  Lisp: /^\s*\((?:def\w*|let\*?|if|or|and|setq|lambda|cond) .*|^.*\)\)+\s*$/u,
  'a remark of a program': /^;;? ?\S/u,
  // Tables
  'a row between bars': /^[^|]*\|\|[^|]*\|.*$/u,
  bars: /^\s*[|+].*[|+]\s*$/u,
  columns: /\S(?: {3,}|\s*\t\s*)\S/u,
  'rules between columns': /^\s*[-=]{2,}(?: +[-=]{2,})+$/u,
};

/** Such a line belongs to the block around it or directly above it. */
const inside: Patterns = {
  // Traces
  'what a debugger says of a frame': /^No (?:locals|symbol table info available)\.$|^\d+\t/u,
  'the head of a trace':
    /^(?:Stack ?trace|Backtrace|During handling of |The above exception |\(See |\(Use |.*CallStack).*:?$|^called `/iu,
  // Compilers and builds
  'a note of a compiler': /^\s*(?:= )?(?:note|help): /u,
  'source below a message': /^\s*\d* \|(?: |$)|^\s*[\^~+][\^~ +-]*$/u,
  'a ruler': /^\s*[=_*-]{8,}\s*$|^\d+ of \d+ tests? /u,
  // Sessions
  'a header':
    /^(?:Host|Accept[\w-]*|User-Agent|Content-[\w-]+|X-[\w-]+|ETag|If-[\w-]+|Cache-Control|Set-Cookie|Cookie|Location|Server|Date|Connection|Transfer-Encoding|Authorization|Vary|Expires|Pragma|Via|Origin|Referer|[A-Z][a-z]+-[A-Z][a-z]+|Subject|From|To|Author|Merge): /u,
  'what was left out': /^\s*(?:\[?(?:\.{3,}|…)\]?|[[<(-]+ ?snip\b.*)$/u,
  'a question of a program': /^(?:\[sudo\] |Please )?(?:enter (?:[\w']+ ){0,4})?\w*password(?: for [^\s:]+)?:$/iu,
  'a reason alone': new RegExp(`^${reason}\\.?$`, 'u'),
  'a folder': /^(?:\.{1,2}|[\w.~-]*(?:\/[\w.~-]+)*\/)$/u,
  // Code
  'a bracket': /^\s*[{}[\]()]+[;,]?\s*$|^\s*(?:end|fi|done|esac|else|EndSection)\s*;?$|^\s*<\/[\w:-]+>$|^\w+:$|^\?>$/u,
  'a comment': /^\s*(?:\/\*|\*\/|# |;; |-- |<!--.*-->$)/u,
  'a mark of what follows': /^\s*@(?:[A-Z]\w*|\w+[.(].*)$/u,
};

/** What a line is shows at its beginning; in a very long one, some patterns would take quadratic time. */
const lengthMax = 2_000;

const features: readonly (readonly [Strength, readonly RegExp[]])[] = [
  ['alone', Object.values(alone)],
  ['pair', Object.values(pair)],
  ['inside', Object.values(inside)],
];

const strongest = lately<Strength | null>(
  (head) => features.find(([, patterns]) => patterns.some((pattern) => pattern.test(head)))?.[0] ?? null,
);

/** The strongest of the features of a line; null if it has none. */
export const strengthOf = (line: string): Strength | null => strongest(line.slice(0, lengthMax));
