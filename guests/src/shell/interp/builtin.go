// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"strings"
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
	on  [128]bool
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
			f.on[a[i]] = true
			if k+1 < len(spec) && spec[k+1] == ':' {
				if f.arg == nil {
					f.arg = map[byte]string{}
				}
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

func biTrue(*Shell, []string) int { return 0 }

func biFalse(*Shell, []string) int { return 1 }

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
	if sh.opts.interactive && sh == sh.rt.main && sh.inTrap == 0 {
		sh.write(2, []byte(sh.leaveWord()+"\n"))
	}
	st, ok := sh.statusArg(args, dflt)
	if ok && len(args) > 2 && args[1] != "--" {
		return sh.builtinError("exit", "too many arguments")
	}
	if sh.opts.interactive && sh == sh.rt.main && sh.holdsExit() {
		return 1
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

func biBreak(sh *Shell, args []string) int { return sh.loopControl(args, ctlBreak) }

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
