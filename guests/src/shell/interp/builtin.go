// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"strings"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// builtin is a command of the shell itself. run gets the arguments with the
// name first and returns the status; its output goes through Shell.print.
type builtin struct {
	name    string
	run     func(sh *Shell, args []string) int
	special bool // POSIX: XCU 2.14 Special Built-In Utilities
	usage   string
}

// builtins is the table of all builtins by name, builtinList the same sorted.
// linkBuiltins fills them, because their initialisers would refer to themselves.
var (
	builtins    map[string]*builtin
	builtinList []builtin
)

func linkBuiltins() {
	if builtins != nil {
		return
	}
	builtinList = listBuiltins()
	builtins = make(map[string]*builtin, len(builtinList))
	for i := range builtinList {
		builtins[builtinList[i].name] = &builtinList[i]
	}
}

func listBuiltins() []builtin {
	return []builtin{
		{":", biTrue, true, ":"},
		{".", biSource, true, ". filename [arguments]"},
		{"[", biTest, false, "[ arg... ]"},
		{"alias", biAlias, false, "alias [-p] [name[=value] ... ]"},
		{"bg", biBg, false, "bg [job_spec ...]"},
		{"bind", biAccept, false, "bind [-lpsvPSVX] [-m keymap] [-f filename] [-q name] [-u name] [-r keyseq] [-x keyseq:shell-command] [keyseq:readline-function or readline-command]"},
		{"break", biBreak, true, "break [n]"},
		{"builtin", biBuiltin, false, "builtin [shell-builtin [arg ...]]"},
		{"caller", biCaller, false, "caller [expr]"},
		{"cd", biCd, false, "cd [-L|[-P [-e]] [-@]] [dir]"},
		{"command", biCommand, false, "command [-pVv] command [arg ...]"},
		{"compgen", biCompgen, false, "compgen [-abcdefgjksuv] [-o option] [-A action] [-G globpat] [-W wordlist] [-F function] [-C command] [-X filterpat] [-P prefix] [-S suffix] [word]"},
		{"complete", biAccept, false, "complete [-abcdefgjksuv] [-pr] [-DEI] [-o option] [-A action] [-G globpat] [-W wordlist] [-F function] [-C command] [-X filterpat] [-P prefix] [-S suffix] [name ...]"},
		{"compopt", biAccept, false, "compopt [-o|+o option] [-DEI] [name ...]"},
		{"continue", biContinue, true, "continue [n]"},
		{"declare", biDeclare, false, "declare [-aAfFgiIlnrtux] [name[=value] ...] or declare -p [-aAfFilnrtux] [name ...]"},
		{"dirs", biDirs, false, "dirs [-clpv] [+N] [-N]"},
		{"disown", biDisown, false, "disown [-h] [-ar] [jobspec ... | pid ...]"},
		{"echo", biEcho, false, "echo [-neE] [arg ...]"},
		{"enable", biEnable, false, "enable [-a] [-dnps] [-f filename] [name ...]"},
		{"eval", biEval, true, "eval [arg ...]"},
		{"exec", biExec, true, "exec [-cl] [-a name] [command [argument ...]] [redirection ...]"},
		{"exit", biExit, true, "exit [n]"},
		{"export", biDeclare, true, "export [-fn] [name[=value] ...] or export -p"},
		{"false", biFalse, false, "false"},
		{"fc", biFc, false, "fc [-e ename] [-lnr] [first] [last] or fc -s [pat=rep] [command]"},
		{"fg", biFg, false, "fg [job_spec]"},
		{"getopts", biGetopts, false, "getopts optstring name [arg ...]"},
		{"hash", biHash, false, "hash [-lr] [-p pathname] [-dt] [name ...]"},
		{"help", biHelp, false, "help [-dms] [pattern ...]"},
		{"history", biHistory, false, "history [-c] [-d offset] [n] or history -anrw [filename] or history -ps arg [arg...]"},
		{"jobs", biJobs, false, "jobs [-lnprs] [jobspec ...] or jobs -x command [args]"},
		{"kill", biKill, false, "kill [-s sigspec | -n signum | -sigspec] pid | jobspec ... or kill -l [sigspec]"},
		{"let", biLet, false, "let arg [arg ...]"},
		{"local", biDeclare, false, "local [option] name[=value] ..."},
		{"logout", biLogout, false, "logout [n]"},
		{"mapfile", biMapfile, false, "mapfile [-d delim] [-n count] [-O origin] [-s count] [-t] [-u fd] [-C callback] [-c quantum] [array]"},
		{"popd", biPopd, false, "popd [-n] [+N | -N]"},
		{"printf", biPrintf, false, "printf [-v var] format [arguments]"},
		{"pushd", biPushd, false, "pushd [-n] [+N | -N | dir]"},
		{"pwd", biPwd, false, "pwd [-LP]"},
		{"read", biRead, false, "read [-ers] [-a array] [-d delim] [-i text] [-n nchars] [-N nchars] [-p prompt] [-t timeout] [-u fd] [name ...]"},
		{"readarray", biMapfile, false, "readarray [-d delim] [-n count] [-O origin] [-s count] [-t] [-u fd] [-C callback] [-c quantum] [array]"},
		{"readonly", biDeclare, true, "readonly [-aAf] [name[=value] ...] or readonly -p"},
		{"return", biReturn, true, "return [n]"},
		{"set", biSet, true, "set [-abefhkmnptuvxBCEHPT] [-o option-name] [--] [-] [arg ...]"},
		{"shift", biShift, true, "shift [n]"},
		{"shopt", biShopt, false, "shopt [-pqsu] [-o] [optname ...]"},
		{"source", biSource, true, "source filename [arguments]"},
		{"suspend", biSuspend, false, "suspend [-f]"},
		{"test", biTest, false, "test [expr]"},
		{"times", biTimes, true, "times"},
		{"trap", biTrap, true, "trap [-lp] [[arg] signal_spec ...]"},
		{"true", biTrue, false, "true"},
		{"type", biType, false, "type [-afptP] name [name ...]"},
		{"typeset", biDeclare, false, "typeset [-aAfFgiIlnrtux] name[=value] ... or typeset -p [-aAfFilnrtux] [name ...]"},
		{"ulimit", biUlimit, false, "ulimit [-SHabcdefiklmnpqrstuvxPRT] [limit]"},
		{"umask", biUmask, false, "umask [-p] [-S] [mode]"},
		{"unalias", biUnalias, false, "unalias [-a] name [name ...]"},
		{"unset", biUnset, true, "unset [-f] [-v] [-n] [name ...]"},
		{"wait", biWait, false, "wait [-fn] [-p var] [id ...]"},
	}
}

func isSpecial(name string) bool {
	b := builtins[name]
	return b != nil && b.special
}

// builtinError reports an error of a builtin.
func (sh *Shell) builtinError(name, msg string) int {
	sh.errorf(name + ": " + msg)
	return 1
}

// usageErr reports wrong usage, which ends a POSIX shell in special builtins.
func (sh *Shell) usageErr(name, msg string) int {
	sh.errorf(name + ": " + msg)
	if b := builtins[name]; b != nil && strings.HasSuffix(msg, "invalid option") {
		sh.write(2, []byte(name+": usage: "+b.usage+"\n"))
	}
	sh.usageError = true
	return 2
}

// flagSet holds the options of a builtin.
type flagSet struct {
	on  map[byte]bool
	arg map[byte]string
}

// flags parses the options of a builtin. In spec a colon follows the letters
// with an argument. It returns the operands.
func (sh *Shell) flags(args []string, spec string) (f flagSet, rest []string, ok bool) {
	rest = args[1:]
	for len(rest) > 0 {
		a := rest[0]
		if a == "--" {
			return f, rest[1:], true
		}
		if len(a) < 2 || a[0] != '-' {
			break
		}
		rest = rest[1:]
		for i := 1; i < len(a); i++ {
			k := strings.IndexByte(spec, a[i])
			if k < 0 || a[i] == ':' {
				sh.usageErr(args[0], "-"+a[i:i+1]+": invalid option")
				return f, nil, false
			}
			if f.on == nil {
				f.on, f.arg = map[byte]bool{}, map[byte]string{}
			}
			f.on[a[i]] = true
			if k+1 < len(spec) && spec[k+1] == ':' {
				if i+1 < len(a) {
					f.arg[a[i]] = a[i+1:]
				} else if len(rest) > 0 {
					f.arg[a[i]] = rest[0]
					rest = rest[1:]
				} else {
					sh.usageErr(args[0], "-"+a[i:i+1]+": option requires an argument")
					return f, nil, false
				}
				break
			}
		}
	}
	return f, rest, true
}

func biTrue(*Shell, []string) int   { return 0 }
func biFalse(*Shell, []string) int  { return 1 }
func biAccept(*Shell, []string) int { return 0 }

func biEcho(sh *Shell, args []string) int {
	args = args[1:]
	nl, esc := true, sh.shopt.xpgEcho
	if !(sh.opts.posix && sh.shopt.xpgEcho) {
	opts:
		for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' {
			for _, c := range args[0][1:] {
				if c != 'n' && c != 'e' && c != 'E' {
					break opts
				}
			}
			for _, c := range args[0][1:] {
				switch c {
				case 'n':
					nl = false
				case 'e':
					esc = true
				case 'E':
					esc = false
				}
			}
			args = args[1:]
		}
	}
	for i, a := range args {
		if i > 0 {
			sh.out = append(sh.out, ' ')
		}
		if !esc {
			sh.out = append(sh.out, a...)
			continue
		}
		var stop bool
		if sh.out, stop = appendEscaped(sh.out, a); stop {
			return 0
		}
	}
	if nl {
		sh.out = append(sh.out, '\n')
	}
	return 0
}

// appendEscaped appends a with the escapes of echo -e replaced.
func appendEscaped(b []byte, a string) ([]byte, bool) {
	for k := 0; k < len(a); {
		if a[k] != '\\' {
			b = append(b, a[k])
			k++
			continue
		}
		n, stop := 0, false
		if b, n, stop = appendEscape(b, a[k:], escEcho); stop {
			return b, true
		}
		k += n
	}
	return b, false
}

// statusArg parses the argument of exit and return.
func (sh *Shell) statusArg(args []string, dflt int) (int, bool) {
	if len(args) > 1 && args[1] == "--" {
		args = args[1:]
	}
	if len(args) < 2 {
		return dflt, true
	}
	s := strings.TrimSpace(args[1])
	n, ok := canonicalInt(strings.TrimPrefix(trimZeros(s), "+"))
	if !ok {
		sh.errorf(args[0] + ": " + args[1] + ": numeric argument required")
		return 2, false
	}
	return int(n & 0xff), true
}

func trimZeros(s string) string {
	for len(s) > 1 && s[0] == '0' {
		s = s[1:]
	}
	return s
}

func biExit(sh *Shell, args []string) int {
	dflt := sh.status
	if sh.inTrap > 0 { // the status from before the trap counts
		dflt = sh.trapStatus
	}
	st, ok := sh.statusArg(args, dflt)
	if ok && len(args) > 2 && args[1] != "--" {
		return sh.builtinError("exit", "too many arguments")
	}
	sh.status = st
	sh.ctl = ctlExit
	return st
}

func biReturn(sh *Shell, args []string) int {
	if sh.frame == nil && sh.sourced == 0 {
		if sh.opts.posix || sh.shArgv {
			// As dash does, outside a function it ends the shell.
			st, _ := sh.statusArg(args, sh.status)
			sh.status, sh.ctl = st, ctlExit
			return st
		}
		sh.errorf("return: can only `return' from a function or sourced script")
		return 2
	}
	st, ok := sh.statusArg(args, sh.status)
	if !ok {
		st = 2
	}
	sh.status = st
	sh.ctl = ctlReturn
	return st
}

func (sh *Shell) loopControl(args []string, c control) int {
	if len(args) > 1 && args[1] == "--" {
		args = args[1:]
	}
	n := int64(1)
	if len(args) > 2 {
		sh.builtinError(args[0], "too many arguments")
		sh.fail(1)
		return 1
	}
	if len(args) > 1 {
		var ok bool
		if n, ok = canonicalInt(args[1]); !ok {
			sh.errorf(args[0] + ": " + args[1] + ": numeric argument required")
			sh.status, sh.ctl = 128, ctlExit
			return 128
		}
		if n <= 0 {
			sh.errorf(args[0] + ": " + args[1] + ": loop count out of range")
			if sh.loops > 0 {
				sh.ctl, sh.ctlN = ctlBreak, sh.loops
			}
			return 1
		}
	}
	if sh.loops == 0 {
		if !sh.opts.posix && !sh.shArgv {
			sh.errorf(args[0] + ": only meaningful in a `for', `while', or `until' loop")
		}
		return 0
	}
	sh.ctl, sh.ctlN = c, int(min(n, int64(sh.loops)))
	sh.status = 0
	return 0
}

func biBreak(sh *Shell, args []string) int    { return sh.loopControl(args, ctlBreak) }
func biContinue(sh *Shell, args []string) int { return sh.loopControl(args, ctlContinue) }

func biShift(sh *Shell, args []string) int {
	if len(args) > 1 && args[1] == "--" {
		args = args[1:]
	}
	n := int64(1)
	if len(args) > 2 {
		sh.usageError = true
		return sh.builtinError("shift", "too many arguments")
	}
	if len(args) > 1 {
		var ok bool
		if n, ok = canonicalInt(args[1]); !ok {
			sh.usageError = true
			return sh.builtinError("shift", args[1]+": numeric argument required")
		}
	}
	if n < 0 || n > int64(len(sh.params)) {
		if n < 0 || sh.opts.posix || sh.shopt.shiftVerbose {
			sh.usageError = sh.shArgv
			return sh.builtinError("shift", itoa(n)+": shift count out of range")
		}
		return 1
	}
	sh.params = sh.params[n:]
	return 0
}

func biEval(sh *Shell, args []string) int {
	args = args[1:]
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	} else if len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' {
		return sh.usageErr("eval", args[0][:2]+": invalid option")
	}
	text := strings.Join(args, " ")
	if strings.TrimSpace(text) == "" {
		return 0
	}
	if sh.depth++; sh.depth > maxDepth {
		sh.depth--
		sh.errorf("eval: maximum eval nesting level exceeded (" + itoa(maxDepth) + ")")
		sh.fail(1)
		return 1
	}
	u := sh.parse(text, 0)
	shift := sh.lineShift
	sh.lineShift = sh.line - 1
	st := sh.runUnitAs(u, "eval")
	sh.lineShift = shift
	sh.depth--
	if sh.ctl == ctlAbort && !sh.opts.posix {
		sh.ctl, sh.expandFailed = ctlNone, false
		st = sh.ctlN
	}
	return st
}

func biSource(sh *Shell, args []string) int {
	name := args[0]
	args = args[1:]
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		sh.usageError = true
		sh.errorf(name + ": filename argument required")
		sh.write(2, []byte(name+": usage: "+builtins[name].usage+"\n"))
		return 2
	}
	file := args[0]
	if strings.IndexByte(file, '/') < 0 {
		file = sh.findSource(file)
	}
	f, err := sh.open(file, abi.ORdonly)
	if err != nil {
		sh.usageError = true
		if strings.IndexByte(args[0], '/') < 0 {
			sh.errorf(name + ": " + args[0] + ": file not found")
		} else {
			sh.errorf(args[0] + ": " + errText(err))
		}
		return 1
	}
	st, err := wsys.Fstat(f.k)
	if err == nil && st.Mode.IsDir() {
		f.release()
		sh.usageError = true
		sh.errorf(name + ": " + args[0] + ": is a directory")
		return 1
	}
	b, err := sh.readAll(f)
	f.release()
	if err != nil {
		sh.errorf(name + ": " + args[0] + ": " + errText(err))
		return 1
	}
	if isBinary(b) {
		sh.errorf(name + ": " + args[0] + ": cannot execute binary file")
		return 126
	}
	if sh.opts.verbose {
		sh.write(2, b)
	}
	if sh.depth++; sh.depth > maxDepth {
		sh.depth--
		sh.errorf(name + ": maximum source nesting level exceeded (" + itoa(maxDepth) + ")")
		sh.fail(1)
		return 1
	}
	fr := &frame{prev: sh.frame, name: "source", callLine: sh.line, source: file, caller: sh.source, params: sh.params, loops: sh.loops, isSource: true}
	saved := sh.frame
	sh.frame = fr
	sh.source = file
	if len(args) > 1 {
		sh.params = append([]string(nil), args[1:]...)
	}
	had := len(args) > 1
	sh.sourced++
	shift := sh.lineShift
	sh.lineShift = 0
	res := sh.runText(string(b), 0)
	sh.lineShift = shift
	sh.sourced--
	if sh.ctl == ctlReturn {
		sh.ctl = ctlNone
		res = sh.status
	}
	if sh.traps.ret != "" && sh.ctl == ctlNone {
		sh.status = res
		sh.runTrap("RETURN", sh.traps.ret)
	}
	params := sh.params
	sh.leaveSource(fr)
	if !had {
		sh.params = params
	}
	sh.frame = saved
	sh.depth--
	return res
}

// leaveSource ends a sourced file; locals of the function around it stay.
func (sh *Shell) leaveSource(f *frame) {
	if f.prev != nil {
		for p := f.prev; p != nil; p = p.prev {
			if !p.isSource {
				p.saved = append(p.saved, f.saved...)
				f.saved = nil
				break
			}
		}
	}
	sh.restoreVars(f.saved)
	sh.params = f.params
	sh.loops = f.loops
	sh.source = f.caller
	sh.line = f.callLine
}

func (sh *Shell) findSource(name string) string {
	if sh.shopt.sourcepath {
		path, _ := sh.get(sh.rt.id.path)
		for _, d := range strings.Split(path, ":") {
			p := d + "/" + name
			if d == "" {
				p = name
			}
			if st, err := sh.stat(p, true); err == nil && !st.Mode.IsDir() {
				return p
			}
		}
	}
	if sh.opts.posix {
		return "/" + name + "/." // not found
	}
	return name
}

// readAll reads an open file to its end, letting other threads run.
func (sh *Shell) readAll(f *file) ([]byte, error) {
	k, err := wsys.Dup(f.k, 10, abi.OCloexec)
	if err != nil {
		return nil, err
	}
	m := &capture{r: k, w: -1}
	sh.collect(m)
	return m.buf, nil
}

func biExec(sh *Shell, args []string) int {
	f, rest, ok := sh.flags(args, "cla:")
	if !ok {
		return 2
	}
	if len(rest) == 0 {
		return 0
	}
	path, err := sh.lookPath(rest[0])
	argv := append([]string(nil), rest...)
	if a, ok := f.arg['a']; ok {
		argv[0] = a
	}
	if f.on['l'] {
		argv[0] = "-" + argv[0]
	}
	if err == nil {
		err = sh.executable(path)
	}
	if err == nil {
		var s *wsys.SpawnSpec
		if s, err = sh.spec(path, argv); err == nil {
			if f.on['c'] {
				s.Env = nil
			}
			if sh == sh.rt.main && sh.rt.sched.Solo() {
				err = sh.execProgram(s)
			} else {
				return sh.execSubshell(path, argv, s)
			}
		}
	}
	if err == abi.ENOEXEC {
		st := sh.script(path, argv)
		sh.status, sh.ctl = st, ctlExit
		return st
	}
	st := 126
	if err == abi.ENOENT || err == abi.ENOTDIR {
		st = 127
	}
	if err == abi.ENOENT && strings.IndexByte(rest[0], '/') < 0 {
		sh.errorf("exec: " + rest[0] + ": not found")
	} else if err == abi.EACCES || err == abi.EISDIR {
		sh.errorf(rest[0] + ": " + errText(err))
	} else {
		sh.errorf("exec: " + rest[0] + ": cannot execute: " + errText(err))
	}
	if !sh.opts.interactive && !sh.shopt.execfail {
		sh.status, sh.ctl = st, ctlExit
	}
	return st
}

// execSubshell is exec in a subshell, which runs the program and ends with it.
func (sh *Shell) execSubshell(path string, argv []string, s *wsys.SpawnSpec) int {
	pid, err := wsys.Spawn(s)
	if err != nil {
		sh.errorf("exec: " + path + ": " + errText(err))
		sh.status, sh.ctl = 126, ctlExit
		return 126
	}
	p := &proc{pid: pid}
	sh.rt.procs[pid] = p
	for i := range sh.fds { // the program alone holds the descriptors now
		if f := sh.fds[i]; f != nil && f.mem == nil {
			f.release()
			sh.fds[i] = nil
		}
	}
	sh.traps.exit = ""
	st := sh.foreground([]*proc{p}, argv)
	if sh.ctl == ctlNone {
		sh.status, sh.ctl = st, ctlExit
	}
	return st
}
