// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/tools/screen"
	"github.com/wsandbox/wsandbox/wasishell"
)

// contractCase is a fact of the contract: what is given, and what comes of it.
// The files in testdata/contract hold them, one a line.
type contractCase struct {
	ID     string          `json:"id"`
	Given  json.RawMessage `json:"given"`
	Expect json.RawMessage `json:"expect"`
}

// readLines decodes a file of JSON lines.
func readLines[T any](t testing.TB, name string) (list []T) {
	f, err := os.Open(filepath.Join("testdata", "contract", name))
	require.NoError(t, err)
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		var v T
		require.NoError(t, json.Unmarshal(s.Bytes(), &v), "%s", s.Bytes())
		list = append(list, v)
	}
	require.NoError(t, s.Err())
	require.NotEmpty(t, list)
	return list
}

// longText is a string, or one that repeats another.
type longText string

func (l *longText) UnmarshalJSON(b []byte) error {
	var r struct {
		Repeat string
		Times  int
	}
	if b[0] == '{' {
		err := json.Unmarshal(b, &r)
		*l = longText(strings.Repeat(r.Repeat, r.Times))
		return err
	}
	return json.Unmarshal(b, (*string)(l))
}

// values are all fields that the cases have.
type values struct {
	Text            longText
	MaxOutputTokens *int64 `json:"max_output_tokens"`
	Output          string
	OutputBytes     int `json:"output_bytes"`
	Original        int `json:"original_token_count"`
	HeadBytes       int `json:"head_bytes"`
	TailBytes       int `json:"tail_bytes"`
	Removed         int `json:"removed_chars"`
	Head, Tail      string
	Bytes           *int
	Tokens          int
	Mode            string
	Limit           int
	TokenBudget     int `json:"token_budget"`
	ByteBudget      int `json:"byte_budget"`

	Root, Path, Op, Resolved string
	Grants                   []Grant
	Grant                    Grant
	HostPath                 string `json:"host_path"`
	ForWrite                 bool   `json:"for_write"`
	Raises, Message          string
	MessageContains          string `json:"message_contains"`
	Context                  map[string]string
	GrantPath                string          `json:"context_grant_path"`
	ErrorCode                string          `json:"error_code"`
	Cwd                      *string         `json:"cwd"`
	ScopeCwd                 *string         `json:"scope_cwd"`
	Anchored                 string          `json:"anchored"`
	Relative                 string          `json:"workspace_relative"`
	ModelPath                string          `json:"model_path"`
	JSON                     json.RawMessage `json:"json"`

	Max     int
	Chunks  []string
	Kept    string
	Omitted int64
	Stream  string
	// query
	Filtered, Joined, Chunk, Flush string
	PerChunk                       []string `json:"per_chunk"`
	// keys
	Key       *string
	Names     []string
	Supported bool

	Tool         string
	Args         json.RawMessage
	Valid        bool
	YieldMS      *int64 `json:"yield_time_ms"`
	Chars        string
	EffectiveMS  int64   `json:"effective_ms"`
	UUID         string  `json:"uuid_hex_prefix"`
	Wall         float64 `json:"wall_time_s"`
	ExitCode     *int    `json:"exit_code"`
	SessionID    *int    `json:"session_id"`
	RawOutput    string  `json:"raw_output"`
	Stdout       *string
	Stderr       *string
	StdoutHex    string `json:"stdout_hex"`
	StderrHex    string `json:"stderr_hex"`
	BackendError string `json:"backend_error"`
	Cmd          string
	Workdir      *string
	Command      string
	Shell        any
	Login        bool
	Backend      string
	Argv         []string
	ArgvPrefix   []string       `json:"argv_prefix"`
	Meta         [][]any        `json:"meta_id_lastused_exited"`
	Prune        *int           `json:"prune"`
	Prunes       int            `json:"prunes"`
	OpenBefore   *int           `json:"open_sessions_before_insert"`
	OpenAfter    int            `json:"open_after"`
	Warning      *string        `json:"warning"`
	WindowHex    string         `json:"window_bytes_hex"`
	Open         bool           `json:"producer_open"`
	Carry        *int           `json:"carry_bytes"`
	Windows      []outputWindow `json:"windows"`
	Outputs      []string       `json:"outputs"`
	Queued       string         `json:"queued"`
	Added        string         `json:"added_while_checking_done"`
	SupportsPTY  *bool          `json:"supports_pty"`
	Fallback     bool           `json:"fallback"`
	OneShotError string         `json:"one_shot_error"`
	OneShot      *struct {
		Stdout, Stderr string
		ExitCode       int `json:"exit_code"`
	} `json:"one_shot"`
	TTY      bool
	Buffer   string
	BufHex   string   `json:"buffer_hex"`
	Pieces   []string `json:"pieces"`
	First    string   `json:"first_piece"`
	FirstHex string   `json:"first_piece_hex"`
	RestHex  string   `json:"rest_hex"`
}

type outputWindow struct {
	Bytes  string `json:"bytes_hex"`
	Closed bool
}

// notApplicable gives the reasons for cases that have no meaning here.
type notApplicable struct{ ID, Reason string }

// runners run the cases of an area.
var runners = map[string]func(t *testing.T, id string, g, x *values){
	"trunc":    runTrunc,
	"split":    runSplit,
	"tokens":   runTokens,
	"path":     runPath,
	"grant":    runGrant,
	"scope":    runScope,
	"headtail": runHeadTail,
	"query":    runQuery,
	"keys":     runKeys,
	"surface":  runSurface,
	"args":     runArgs,
	"format":   runFormat,
	"merge":    runMerge,
	"workdir":  runWorkdir,
	"shell":    runShell,
	"fallback": runFallback,
	"yield":    runYield,
	"procid":   runProcID,
	"prune":    runPrune,
	"collect":  runCollect,
}

// TestContract runs every case of the contract's areas, or finds the reason why
// it cannot apply.
func TestContract(t *testing.T) {
	reasons := map[string]string{}
	for _, n := range readLines[notApplicable](t, "not_applicable.jsonl") {
		require.NotEmpty(t, n.Reason, n.ID)
		reasons[n.ID] = n.Reason
	}
	used := map[string]bool{}
	total := 0
	for area, run := range runners {
		for _, c := range readLines[contractCase](t, area+".jsonl") {
			total++
			t.Run(c.ID, func(t *testing.T) {
				if why, ok := reasons[c.ID]; ok {
					used[c.ID] = true
					t.Skip(why)
				}
				var g, x values
				require.NoError(t, json.Unmarshal(c.Given, &g))
				require.NoError(t, json.Unmarshal(c.Expect, &x))
				run(t, c.ID, &g, &x)
			})
		}
	}
	for id := range reasons {
		if _, mine := runners[strings.Split(id, "-")[0]]; mine {
			require.True(t, used[id], "a reason for %s, which is no case", id)
		}
	}
	require.Equal(t, 178, total)
}

func runTrunc(t *testing.T, _ string, g, x *values) {
	if g.MaxOutputTokens == nil {
		m := fakeManager(t, &fakeBackend{}, Options{Strict: true})
		var r Response
		m.fit(&r, string(g.Text), 0, nil)
		require.Equal(t, x.Output, r.Output)
		require.Nil(t, r.OriginalTokenCount)
		return
	}
	out, count := Truncate(string(g.Text), int(*g.MaxOutputTokens))
	require.Equal(t, x.Output, out)
	require.Equal(t, x.Original, count)
	require.Len(t, out, x.OutputBytes)
}

func runSplit(t *testing.T, _ string, g, x *values) {
	removed, head, tail := splitText(string(g.Text), g.HeadBytes, g.TailBytes)
	require.Equal(t, []any{x.Removed, x.Head, x.Tail}, []any{removed, head, tail})
}

func runTokens(t *testing.T, _ string, g, x *values) {
	if g.Bytes != nil {
		require.Equal(t, x.Tokens, Tokens(*g.Bytes))
		return
	}
	// A negative limit is one of 0.
	out, count := Truncate("abcdefgh", g.Limit)
	want, n := Truncate("abcdefgh", x.TokenBudget)
	require.Equal(t, want, out)
	require.Equal(t, n, count)
	require.Len(t, out, x.ByteBudget)
}

// checkError compares an error with a case's.
func checkError(t *testing.T, x *values, err error) {
	t.Helper()
	require.Error(t, err)
	if x.Message != "" {
		require.Equal(t, x.Message, err.Error())
	}
	if x.MessageContains != "" {
		require.ErrorContains(t, err, x.MessageContains)
	}
	bad, write := (*InvalidPathError)(nil), (*WriteError)(nil)
	switch x.Raises {
	case "InvalidManifestPathError":
		require.ErrorAs(t, err, &bad)
		require.Equal(t, "invalid_manifest_path", bad.Code())
		if x.Context != nil {
			require.Equal(t, x.Context, map[string]string{"rel": bad.Rel, "reason": bad.Reason})
		}
	case "WorkspaceArchiveWriteError":
		require.ErrorAs(t, err, &write)
		require.Equal(t, "read_only_extra_path_grant", write.Reason)
		if x.Context != nil {
			require.Equal(t, x.Context, map[string]string{"path": write.Path, "reason": write.Reason, "grant_path": write.GrantPath})
		}
		if x.GrantPath != "" {
			require.Equal(t, x.GrantPath, write.GrantPath)
		}
	}
}

func runPath(t *testing.T, _ string, g, x *values) {
	if g.Op == "normalize+resolve" {
		// The workspace is given by a link. Inside, both are /workspace.
		dir := t.TempDir()
		require.NoError(t, os.Mkdir(filepath.Join(dir, "workspace"), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "workspace", "target.txt"), []byte("hello"), 0o644))
		for _, l := range [][2]string{{"workspace", "workspace-alias"}, {"target.txt", "workspace/link.txt"}, {filepath.Join(dir, "outside"), "workspace/outside-link"}} {
			if err := os.Symlink(l[0], filepath.Join(dir, l[1])); err != nil {
				t.Skip(err)
			}
		}
		sb := newSandbox(t, wasishell.Config{Workspace: filepath.Join(dir, "workspace-alias")})
		m, err := New(sb, Options{})
		require.NoError(t, err)
		defer m.Close()
		for _, name := range []string{"workspace-alias", "workspace"} {
			g.Path = strings.Replace(g.Path, "{tmp}/"+name, "/workspace", 1)
		}
		p, err := m.paths.Normalize(g.Path, false)
		require.NoError(t, err)
		r, err := m.ExecCommand(t.Context(), ExecCommandArgs{Cmd: "realpath " + shellQuote(p) + "; cat " + shellQuote(p), YieldTimeMS: ptr(30000)})
		require.NoError(t, err)
		require.Equal(t, strings.Replace(x.Resolved, "{tmp}", "", 1)+"\nhello", r.Output)
		return
	}
	p, err := NewPathPolicy(cmpRoot(g.Root))
	if err != nil {
		checkError(t, x, err)
		return
	}
	var got string
	switch g.Op {
	case "absolute":
		got, err = p.Absolute(g.Path)
	case "relative":
		got, err = p.Relative(g.Path)
	default:
		got, err = p.Normalize(g.Path, false)
	}
	if x.Raises != "" {
		checkError(t, x, err)
		return
	}
	require.NoError(t, err)
	require.Equal(t, x.Path, got)
}

func cmpRoot(s string) string {
	if s == "" {
		return "/workspace"
	}
	return s
}

func runGrant(t *testing.T, id string, g, x *values) {
	switch {
	case id == "grant-019":
		if runtime.GOOS == "windows" {
			t.Skip("no file system root without a drive")
		}
		link := filepath.Join(t.TempDir(), "root-alias")
		if err := os.Symlink("/", link); err != nil {
			t.Skip(err)
		}
		_, err := Grant{Path: link}.Mount()
		checkError(t, x, err)
	case id == "grant-024":
		b, err := json.Marshal(g.Grants)
		require.NoError(t, err)
		require.JSONEq(t, string(x.JSON), string(b))
	case g.Grant.Path != "":
		err := g.Grant.Check()
		if x.HostPath == "" {
			checkError(t, x, err)
			return
		}
		require.NoError(t, err)
		h, err := g.Grant.hostPath()
		require.NoError(t, err)
		require.Equal(t, x.HostPath, h)
	default:
		p, err := NewPathPolicy(cmpRoot(g.Root), g.Grants...)
		require.NoError(t, err)
		got, err := p.Normalize(g.Path, g.ForWrite)
		if x.Raises != "" {
			checkError(t, x, err)
			return
		}
		require.NoError(t, err)
		require.Equal(t, x.Path, got)
	}
}

func runScope(t *testing.T, id string, g, x *values) {
	cwd := "tasks/a" // of scope-005, which names none
	if g.Cwd != nil {
		cwd = *g.Cwd
	}
	s, err := NewScope(cwd)
	switch {
	case x.Raises != "":
		checkError(t, x, err)
		return
	case x.ModelPath != "":
		require.Equal(t, x.ModelPath, s.Render(g.Relative))
	default:
		require.Equal(t, x.Anchored, s.Anchor(g.Path))
	}
	require.NoError(t, err)
}

func runHeadTail(t *testing.T, _ string, g, x *values) {
	h := headTail{max: g.Max}
	for _, c := range g.Chunks {
		h.write([]byte(c))
	}
	head, tail := h.parts()
	require.Equal(t, x.Kept, string(head)+string(tail))
	require.Equal(t, x.Omitted, h.omitted)
}

func runQuery(t *testing.T, _ string, g, x *values) {
	chunks := g.Chunks
	if chunks == nil {
		chunks = []string{g.Stream}
	}
	var f screen.Filter
	var got []string
	for _, c := range chunks {
		got = append(got, string(f.Filter(nil, []byte(c))))
	}
	switch {
	case x.Flush != "":
		require.Equal(t, []string{x.Chunk}, got)
		require.Equal(t, x.Flush, string(f.Flush()))
	case x.PerChunk != nil:
		require.Equal(t, x.PerChunk, got)
	default:
		require.Equal(t, x.Filtered+x.Joined, strings.Join(got, "")+string(f.Flush()))
	}
}

func runKeys(t *testing.T, _ string, g, x *values) {
	if g.Names != nil {
		for _, n := range g.Names {
			b, ok := screen.Key(n, false)
			require.True(t, ok, n)
			require.NotEmpty(t, b)
		}
		return
	}
	b, ok := screen.Key(string(g.Text), false)
	require.Equal(t, x.Key != nil, ok)
	if x.Key != nil {
		require.Equal(t, []byte{(*x.Key)[2] & 0x1f}, b)
	}
}

func runSurface(t *testing.T, id string, g, x *values) {
	b := &fakeBackend{oneShot: true}
	switch id {
	case "surface-001":
		_, err := New(nil, Options{})
		require.EqualError(t, err, x.Message)
	case "surface-002":
		list := fakeManager(t, b, Options{}).Tools()
		require.Len(t, list, 1)
		require.Equal(t, "exec_command", list[0].Name)
	case "surface-005":
		other := &Tool{Name: "other", Call: func(_ testContext, _ Call) (Result, error) { return Result{}, nil }}
		list := fakeManager(t, b, Options{Configure: func(s *ToolSet) { s.ExecCommand = other }}).Tools()
		require.Len(t, list, 1)
		require.Equal(t, "other", list[0].Name)
	case "surface-006":
		called := false
		fakeManager(t, b, Options{Configure: func(s *ToolSet) {
			called = true
			require.Nil(t, s.WriteStdin)
			require.NotNil(t, s.ExecCommand)
		}}).Tools()
		require.True(t, called)
	case "surface-010":
		b.oneShot = false
		tool := fakeManager(t, b, Options{Strict: true}).Tools()[1]
		require.Equal(t, "write_stdin", tool.Name)
		require.False(t, tool.Strict)
		require.Nil(t, tool.NeedsApproval)
		a, err := parseWriteStdin(parseArguments(g.Args))
		require.NoError(t, err)
		require.EqualValues(t, 1337, a.SessionID)
		require.Empty(t, a.Chars)
		require.Nil(t, a.MaxOutputTokens)
		require.Equal(t, 250*time.Millisecond, writeYield(a.YieldTimeMS, false))
	default:
		t.Fatal("no test")
	}
}

func runArgs(t *testing.T, _ string, g, x *values) {
	m := fakeManager(t, &fakeBackend{}, Options{Strict: true})
	var err error
	if g.Tool == "exec_command" {
		_, err = m.parseExecCommand(parseArguments(g.Args))
	} else {
		_, err = parseWriteStdin(parseArguments(g.Args))
	}
	if x.Valid {
		require.NoError(t, err)
		return
	}
	bad := (*ArgumentError)(nil)
	require.ErrorAs(t, err, &bad)
}

// runFormat drives a whole call: the backend gives the case's output, the clock
// its time, the source of randomness its IDs.
func runFormat(t *testing.T, _ string, g, x *values) {
	clock := &fakeClock{now: time.Unix(1000, 0)}
	wall := time.Duration(g.Wall * float64(time.Second))
	prefix, err := hex.DecodeString(g.UUID)
	require.NoError(t, err)
	b := &fakeBackend{}
	random := prefix
	if g.SessionID != nil {
		random = append(idBytes(*g.SessionID), prefix...)
	}
	var args struct {
		SessionID *int64 `json:"session_id"`
	}
	if g.Args != nil {
		require.NoError(t, json.Unmarshal(g.Args, &args))
	}
	opt := Options{Strict: true, Clock: clock}
	name, call := "exec_command", g.Args
	if call == nil {
		call = json.RawMessage(`{"cmd":"x"}`)
	}
	output := g.RawOutput
	if output == "" {
		output = g.Output
	}
	switch {
	case args.SessionID != nil && *args.SessionID == 1337:
		// A session that is there already.
		name = "write_stdin"
		random = append(append(idBytes(1337), 0, 0, 0), prefix...)
		opt.Rand = strings.NewReader(string(random))
		m := fakeManager(t, b, opt)
		first := `{"cmd":"x","yield_time_ms":0,"tty":true}`
		if g.BackendError != "" {
			first = `{"cmd":"x","yield_time_ms":0}`
		}
		b.start = func(p *fakeProcess) {
			p.onWrite = func([]byte) {
				clock.advance(wall)
				p.output(output)
				p.exit(*g.ExitCode)
			}
		}
		clock.fire = func(time.Duration) time.Duration { return 0 }
		_, err := callTool(t, m, "exec_command", first)
		require.NoError(t, err)
		clock.fire = nil
		if g.BackendError != "" {
			require.EqualError(t, ErrNoStdin, g.BackendError)
			clock.step = wall
			call = json.RawMessage(`{"session_id":1337,"chars":"hello"}`)
		}
		got, err := callTool(t, m, name, string(call))
		require.NoError(t, err)
		require.Equal(t, x.Text, longText(got.Text))
		return
	case args.SessionID != nil:
		name = "write_stdin"
		clock.step = wall
	case g.SessionID != nil:
		b.start = func(p *fakeProcess) { p.output(output) }
		clock.fire = func(time.Duration) time.Duration { return wall }
		if g.Original > 0 {
			// 100 bytes, of which the limit leaves one character.
			b.start = func(p *fakeProcess) { p.output(strings.Repeat("x", 100)) }
			call = json.RawMessage(`{"cmd":"x","max_output_tokens":1}`)
			x.Text = longText(strings.Replace(string(x.Text), "Output:\nx", "Output:\n…2", 1))
		}
	case g.Stdout != nil || g.RawOutput != "" || strings.HasPrefix(output, "stdout"):
		b.oneShot = true
		out, errs := output, ""
		if g.Stdout != nil {
			out, errs = *g.Stdout, *g.Stderr
		} else if i := strings.Index(output, "\nstderr"); i >= 0 {
			out, errs = output[:i], output[i+1:]
		}
		b.run = func(*Spec) (Completed, error) {
			clock.advance(wall)
			return Completed{[]byte(out), []byte(errs), Exit{Code: *g.ExitCode}}, nil
		}
	default:
		b.start = func(p *fakeProcess) {
			clock.advance(wall)
			p.output(output)
			p.exit(*g.ExitCode)
		}
	}
	opt.Rand = strings.NewReader(string(random))
	got, err := callTool(t, fakeManager(t, b, opt), name, string(call))
	require.NoError(t, err)
	require.Equal(t, x.Text, longText(got.Text))
}

func runMerge(t *testing.T, _ string, g, x *values) {
	var out, errs []byte
	if g.Stdout != nil {
		out, errs = []byte(*g.Stdout), []byte(*g.Stderr)
	} else {
		var err error
		out, err = hex.DecodeString(g.StdoutHex)
		require.NoError(t, err)
		errs, err = hex.DecodeString(g.StderrHex)
		require.NoError(t, err)
	}
	require.Equal(t, x.Output, mergeStreams(out, errs))
}

// runWorkdir compares the directory of the process, which is what the command
// "cd DIR && CMD" of the contract comes to.
func runWorkdir(t *testing.T, _ string, g, x *values) {
	b := &fakeBackend{start: func(p *fakeProcess) { p.exit(0) }}
	opt := Options{Root: g.Root, RaiseErrors: true}
	for _, gr := range g.Grants {
		opt.Grants = append(opt.Grants, gr)
	}
	if g.ScopeCwd != nil {
		opt.Cwd = *g.ScopeCwd
	}
	m := fakeManager(t, b, opt)
	_, err := m.ExecCommand(t.Context(), ExecCommandArgs{Cmd: g.Cmd, Workdir: g.Workdir})
	if x.Raises != "" {
		checkError(t, x, err)
		// By default it is text.
		m := fakeManager(t, b, Options{Root: g.Root})
		r, err := m.ExecCommand(t.Context(), ExecCommandArgs{Cmd: g.Cmd, Workdir: g.Workdir})
		require.NoError(t, err)
		require.Equal(t, 1, *r.ExitCode)
		require.Equal(t, "exec_command failed: "+x.Message, r.Output)
		return
	}
	require.NoError(t, err)
	require.Equal(t, g.Cmd, b.last.Args[len(b.last.Args)-1], "the command itself is as it was given")
	require.Equal(t, x.Command, displayCommand(b.last.Dir, g.Cmd))
}

func runShell(t *testing.T, id string, g, x *values) {
	b := &fakeBackend{start: func(p *fakeProcess) { p.exit(0) }}
	m := fakeManager(t, b, Options{RaiseErrors: true})
	a := ExecCommandArgs{Cmd: "true"}
	switch {
	case g.Argv != nil:
		a.Cmd = g.Argv[0]
		require.Len(t, g.Argv, 1)
		x.ArgvPrefix = []string{"sh", "-c"} // login has no effect on the default shell
	default:
		a.Login = &g.Login
		if s, ok := g.Shell.(string); ok {
			a.Shell = &s
		}
	}
	_, err := m.ExecCommand(t.Context(), a)
	require.NoError(t, err)
	require.Equal(t, append(x.ArgvPrefix, a.Cmd), b.last.Args)
}

func runFallback(t *testing.T, id string, g, x *values) {
	b := &fakeBackend{oneShot: g.SupportsPTY != nil && !*g.SupportsPTY}
	if g.Fallback {
		b.startErr = &TransportError{RetrySafe: true, Err: errors.New("no route")}
	}
	var timeout time.Duration
	b.run = func(*Spec) (Completed, error) {
		timeout = b.timeout
		if g.OneShotError != "" {
			return Completed{}, ErrTimeout
		}
		return Completed{[]byte(g.OneShot.Stdout), []byte(g.OneShot.Stderr), Exit{Code: g.OneShot.ExitCode}}, nil
	}
	if g.Tool == "write_stdin" {
		failure := errors.New(x.Message)
		b.start = func(p *fakeProcess) { p.writeErr = failure }
		m := fakeManager(t, b, Options{RaiseErrors: true, Clock: &fakeClock{fire: func(time.Duration) time.Duration { return 0 }}})
		r, err := m.ExecCommand(t.Context(), ExecCommandArgs{Cmd: "x", TTY: true})
		require.NoError(t, err)
		s, err := m.find(int64(*r.SessionID))
		require.NoError(t, err)
		_, err = m.WriteStdin(t.Context(), WriteStdinArgs{SessionID: int64(*r.SessionID), Chars: "x"})
		for err == nil { // the queue's goroutine has not come to it
			waitFor(t, "the failure", func() bool { return s.in.failure() != nil })
			_, err = m.WriteStdin(t.Context(), WriteStdinArgs{SessionID: int64(*r.SessionID), Chars: "x"})
		}
		require.EqualError(t, err, x.Message)
		return
	}
	m := fakeManager(t, b, Options{})
	r, err := m.ExecCommand(t.Context(), ExecCommandArgs{Cmd: "x", TTY: g.TTY, YieldTimeMS: g.YieldMS})
	require.NoError(t, err)
	require.Equal(t, x.Output, r.Output)
	require.Nil(t, r.SessionID)
	require.Nil(t, r.OriginalTokenCount)
	if g.OneShotError != "" {
		require.Nil(t, r.ExitCode)
		require.Equal(t, time.Duration(*g.YieldMS)*time.Millisecond, timeout, "not clamped")
	}
}

func runYield(t *testing.T, _ string, g, x *values) {
	d := execYield(g.YieldMS)
	if g.Tool == "write_stdin" {
		d = writeYield(g.YieldMS, g.Chars == "")
	}
	require.Equal(t, time.Duration(x.EffectiveMS)*time.Millisecond, d)
}

func runProcID(t *testing.T, _ string, g, x *values) {
	// The same random bytes give B the number that A had.
	b := &fakeBackend{}
	id, chunk := string(idBytes(4242)), "abc"
	clock := &fakeClock{fire: func(time.Duration) time.Duration { return 0 }}
	m := fakeManager(t, b, Options{Clock: clock, Rand: strings.NewReader(id + chunk + chunk + chunk + id + chunk)})
	r, err := m.ExecCommand(t.Context(), ExecCommandArgs{Cmd: "A"})
	require.NoError(t, err)
	require.Equal(t, 4242, *r.SessionID)
	b.proc.exit(0)
	s, err := m.find(4242)
	require.NoError(t, err)
	<-s.ended
	r, err = m.WriteStdin(t.Context(), WriteStdinArgs{SessionID: 4242})
	require.NoError(t, err)
	require.Equal(t, 0, *r.ExitCode)
	r, err = m.WriteStdin(t.Context(), WriteStdinArgs{SessionID: 4242})
	require.NoError(t, err)
	require.Equal(t, "write_stdin failed: PTY session not found: 4242", r.Output)
	r, err = m.ExecCommand(t.Context(), ExecCommandArgs{Cmd: "B"})
	require.NoError(t, err)
	require.Equal(t, 4242, *r.SessionID)
}

func runPrune(t *testing.T, _ string, g, x *values) {
	if g.OpenBefore == nil {
		var uses []sessionUse
		for _, m := range g.Meta {
			uses = append(uses, sessionUse{int(m[0].(float64)), time.Unix(0, int64(m[1].(float64)*1e9)), m[2].(bool)})
		}
		id, ok := toPrune(uses)
		require.Equal(t, x.Prune != nil, ok)
		if ok {
			require.Equal(t, *x.Prune, id)
		}
		return
	}
	b := &fakeBackend{}
	var procs []*fakeProcess
	b.start = func(p *fakeProcess) { procs = append(procs, p) }
	var warnings []string
	clock := &fakeClock{step: time.Second, fire: func(time.Duration) time.Duration { return 0 }}
	m := fakeManager(t, b, Options{Clock: clock, Logf: func(f string, a ...any) { warnings = append(warnings, sprintf(f, a...)) }})
	for range *g.OpenBefore {
		_, err := m.ExecCommand(t.Context(), ExecCommandArgs{Cmd: "x"})
		require.NoError(t, err)
	}
	warnings = nil
	_, err := m.ExecCommand(t.Context(), ExecCommandArgs{Cmd: "x"})
	require.NoError(t, err)
	require.Len(t, m.ListSessions(), x.OpenAfter)
	if x.Warning == nil && *g.OpenBefore < warnSessions {
		require.Empty(t, warnings)
	} else {
		require.Equal(t, []string{"PTY process count reached warning threshold: " + itoa(x.OpenAfter) + " active sessions"}, warnings)
	}
	killed := 0
	for _, p := range procs {
		if p.wasKilled() {
			killed++
		}
	}
	require.Equal(t, x.Prunes, killed)
	if x.Prunes > 0 {
		require.True(t, procs[0].wasKilled(), "the oldest")
	}
}

func runCollect(t *testing.T, id string, g, x *values) {
	decodeHex := func(s string) []byte {
		b, err := hex.DecodeString(s)
		require.NoError(t, err)
		return b
	}
	switch {
	case g.WindowHex != "":
		b := decodeHex(g.WindowHex)
		if g.Open {
			require.Equal(t, *x.Carry, incompleteTail(b))
		}
		s := plainSession()
		_, _ = s.Write(b)
		d := s.drain(!g.Open)
		require.EqualValues(t, *x.Carry, s.pending.total())
		if x.Output != "" {
			require.Equal(t, x.Output, d.head)
		}
	case g.Windows != nil:
		s := plainSession()
		var got []string
		for _, w := range g.Windows {
			_, _ = s.Write(decodeHex(w.Bytes))
			got = append(got, s.drain(w.Closed).head)
		}
		require.Equal(t, x.Outputs, got)
	case g.Queued != "":
		// What is written before the end is announced is in.
		b := &fakeBackend{start: func(p *fakeProcess) {
			p.output(g.Queued)
			p.output(g.Added)
			p.exit(0)
		}}
		r, err := fakeManager(t, b, Options{}).ExecCommand(t.Context(), ExecCommandArgs{Cmd: "x"})
		require.NoError(t, err)
		require.Equal(t, x.Output, r.Output)
		require.Equal(t, 0, *r.ExitCode)
	case id == "collect-028":
		// The process has ended, and its output is not all there.
		b := &fakeBackend{}
		b.start = func(p *fakeProcess) { p.output("first"); p.setExit(3) }
		clock := &fakeClock{fire: func(time.Duration) time.Duration { return 0 }}
		m := fakeManager(t, b, Options{Clock: clock})
		r, err := m.ExecCommand(t.Context(), ExecCommandArgs{Cmd: "x"})
		require.NoError(t, err)
		require.Nil(t, r.ExitCode)
		require.NotNil(t, r.SessionID)
		require.Equal(t, "first", r.Output)
		b.proc.output("rest")
		b.proc.exit(3)
		s, err := m.find(int64(*r.SessionID))
		require.NoError(t, err)
		<-s.ended
		id := int64(*r.SessionID)
		r, err = m.WriteStdin(t.Context(), WriteStdinArgs{SessionID: id})
		require.NoError(t, err)
		require.Equal(t, "rest", r.Output)
		require.Equal(t, 3, *r.ExitCode)
		require.Nil(t, r.SessionID)
		r, err = m.WriteStdin(t.Context(), WriteStdinArgs{SessionID: id})
		require.NoError(t, err)
		require.Contains(t, r.Output, "not found")
	case id == "collect-029":
		// The end wakes the call: the clock's timers never fire.
		b := &fakeBackend{}
		b.start = func(p *fakeProcess) { go p.exit(0) }
		m := fakeManager(t, b, Options{Clock: &fakeClock{}})
		r, err := m.ExecCommand(t.Context(), ExecCommandArgs{Cmd: "x"})
		require.NoError(t, err)
		require.Equal(t, 0, *r.ExitCode)
	default:
		t.Fatal("no test")
	}
}

// plainSession returns a session without a command.
func plainSession() *session {
	return &session{
		pending: headTail{max: defaultBuffer}, transcript: &transcript{kept: headTail{max: defaultKeep}, refs: 1},
		watchers: map[*watcher]struct{}{}, ended: make(chan struct{}), gone: make(chan struct{}), turn: make(chan struct{}, 1),
	}
}

// TestWriteErrors is pty-009 and pty-013: input to a command that reads no more
// is no error; its tail and its end follow.
func TestWriteErrors(t *testing.T) {
	for _, e := range []error{abi.EIO, abi.EBADF, abi.EPIPE, abi.ECONNRESET, io.ErrClosedPipe, &os.PathError{Op: "write", Err: abi.EPIPE}} {
		b := &fakeBackend{}
		b.start = func(p *fakeProcess) { p.writeErr = e }
		clock := &fakeClock{fire: func(d time.Duration) time.Duration { return 0 }}
		m := fakeManager(t, b, Options{Clock: clock, Strict: true})
		r, err := m.ExecCommand(t.Context(), ExecCommandArgs{Cmd: "x", TTY: true})
		require.NoError(t, err)
		clock.setFire(nil)
		p := b.proc
		p.onWriteErr = func() {
			p.output("tail\n")
			p.exit(0)
		}
		r, err = m.WriteStdin(t.Context(), WriteStdinArgs{SessionID: int64(*r.SessionID), Chars: "x"})
		require.NoError(t, err, "%v", e)
		require.Equal(t, "tail\n", r.Output)
		require.Equal(t, 0, *r.ExitCode)
	}
	require.False(t, endOfInput(syscall.EINVAL))
}

// TestPause is pty-014: a call with input lasts at least the pause and the
// window.
func TestPause(t *testing.T) {
	b := &fakeBackend{}
	var waits []time.Duration
	clock := &fakeClock{fire: func(d time.Duration) time.Duration { waits = append(waits, d); return d }}
	m := fakeManager(t, b, Options{Clock: clock})
	r, err := m.ExecCommand(t.Context(), ExecCommandArgs{Cmd: "x", TTY: true})
	require.NoError(t, err)
	waits = nil
	r, err = m.WriteStdin(t.Context(), WriteStdinArgs{SessionID: int64(*r.SessionID), Chars: "x", YieldTimeMS: ptr(250)})
	require.NoError(t, err)
	require.Equal(t, []time.Duration{100 * time.Millisecond, 250 * time.Millisecond}, waits)
	require.InDelta(t, 0.35, r.WallTimeSeconds, 1e-9)
}

// step is an action of a session's case, with what comes of it.
type step struct {
	As    string // names the session
	To    string // is the one that is written to, the last one where empty
	ID    *int64 // a number that no session has
	Times int    // sends the input as often
	Until string // polls until it shows, or until the "exit"

	Terminate    bool
	TerminateAll *int `json:"terminate_all"`
	Wait         bool
	Close        bool
	Processes    *int // are left
	Sessions     *int // are in the table

	Exit            *int
	Session         bool
	Contains, Lacks string
	Equals          *string
	Gone            bool
	Omitted         int64
	BeforeMS        float64 `json:"before_ms"`
	Limit           *string
}

// TestContractSessions runs the cases that need real sessions.
func TestContractSessions(t *testing.T) {
	sharedRuntime(t)
	for _, c := range readLines[struct {
		ID, Setup string
		Steps     []map[string]json.RawMessage
	}](t, "sessions.jsonl") {
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			cfg := wasishell.Config{}
			if c.Setup == "link" { // the workspace has a link that leads out of it
				outside, ws := t.TempDir(), t.TempDir()
				require.NoError(t, os.WriteFile(filepath.Join(outside, "passwd"), []byte("root:x\n"), 0o644))
				if err := os.Symlink(outside, filepath.Join(ws, "link")); err != nil {
					t.Skip(err)
				}
				cfg.Workspace = ws
			}
			sb := newSandbox(t, cfg)
			m, err := New(sb, Options{})
			require.NoError(t, err)
			defer m.Close()
			e := &sessionTest{t: t, sb: sb, m: m, ids: map[string]int64{}}
			for _, s := range c.Steps {
				e.step(s)
			}
		})
	}
}

type sessionTest struct {
	t    *testing.T
	sb   *wasishell.Sandbox
	m    *Manager
	ids  map[string]int64
	last int64
}

func (e *sessionTest) step(raw map[string]json.RawMessage) {
	t := e.t
	t.Helper()
	var s step
	exec, write := raw["exec"], raw["write"]
	delete(raw, "exec")
	delete(raw, "write")
	b, err := json.Marshal(raw)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(b, &s))
	ctx := t.Context()
	var r Response
	switch {
	case exec != nil:
		x, err := e.m.parseExecCommand(parseArguments(exec))
		require.NoError(t, err)
		r, err = e.m.ExecCommand(ctx, x)
		require.NoError(t, err)
		if r.SessionID != nil {
			e.last = int64(*r.SessionID)
		}
		if s.As != "" {
			e.ids[s.As] = e.last
		}
	case write != nil:
		var a map[string]any
		require.NoError(t, json.Unmarshal(write, &a))
		id := e.last
		if s.To != "" {
			id = e.ids[s.To]
		}
		if s.ID != nil {
			id = *s.ID
		}
		a["session_id"] = id
		if s.Times > 0 {
			a["chars"] = strings.Repeat(a["chars"].(string), s.Times)
		}
		args, err := json.Marshal(a)
		require.NoError(t, err)
		x, err := parseWriteStdin(parseArguments(args))
		require.NoError(t, err)
		r, err = e.m.WriteStdin(ctx, x)
		require.NoError(t, err)
		e.last = id
	case s.Terminate:
		r, err = e.m.TerminateSession(ctx, e.last)
		require.NoError(t, err)
	case s.Wait:
		r, err = e.m.WaitSession(ctx, WaitSessionArgs{SessionID: e.last})
		require.NoError(t, err)
	case s.TerminateAll != nil:
		require.Equal(t, *s.TerminateAll, e.m.TerminateAll())
		return
	case s.Close:
		require.NoError(t, e.m.Close())
		return
	case s.Sessions != nil:
		require.Len(t, e.m.ListSessions(), *s.Sessions)
		return
	case s.Processes != nil:
		waitFor(t, "its end", func() bool {
			out, err := e.sb.Shell("echo /proc/[0-9]*").Output(ctx)
			return err == nil && len(strings.Fields(string(out))) == 2+*s.Processes // init and the shell itself
		})
		return
	}
	out := r.Output
	for deadline := time.Now().Add(limit); s.Until != "" && r.SessionID != nil; {
		if s.Until != "exit" && strings.Contains(out, s.Until) {
			break
		}
		require.True(t, time.Now().Before(deadline), "%q does not show in %q", s.Until, out)
		w := WaitSessionArgs{SessionID: int64(*r.SessionID), Timeout: time.Second}
		if s.Until != "exit" {
			w.Pattern = regexp.MustCompile(regexp.QuoteMeta(s.Until))
		}
		r, err = e.m.WaitSession(ctx, w)
		require.NoError(t, err)
		out += r.Output
	}
	if s.Gone {
		require.Equal(t, "write_stdin failed: PTY session not found: "+itoa(int(e.last)), r.Output)
		require.Equal(t, 1, *r.ExitCode)
	}
	if s.Exit != nil {
		require.NotNil(t, r.ExitCode, out)
		require.Equal(t, *s.Exit, *r.ExitCode, out)
		require.Nil(t, r.SessionID)
	}
	if s.Session {
		require.NotNil(t, r.SessionID, "%v", r)
		require.Nil(t, r.ExitCode)
	}
	if s.Equals != nil {
		require.Equal(t, *s.Equals, out)
	}
	require.Contains(t, out, s.Contains)
	if s.Lacks != "" {
		require.NotContains(t, out, s.Lacks)
	}
	if s.Omitted > 0 {
		require.Equal(t, s.Omitted, r.OmittedBytes)
		require.Contains(t, out, "[… "+bytesText(s.Omitted)+" omitted …]")
	}
	if s.BeforeMS > 0 {
		require.Less(t, r.WallTimeSeconds*1000, s.BeforeMS)
	}
	if s.Limit != nil {
		require.Equal(t, *s.Limit, r.Limit)
	}
}

// TestNotApplicable: reasons are for cases that are nowhere else, and the tests
// that other cases are in are there.
func TestNotApplicable(t *testing.T) {
	var ids []string
	for _, n := range readLines[notApplicable](t, "not_applicable.jsonl") {
		ids = append(ids, n.ID)
	}
	for _, c := range readLines[struct{ ID string }](t, "sessions.jsonl") {
		require.False(t, slices.Contains(ids, c.ID), c.ID)
	}
	var tests strings.Builder
	files, err := filepath.Glob("*_test.go")
	require.NoError(t, err)
	for _, f := range files {
		b, err := os.ReadFile(f)
		require.NoError(t, err)
		tests.Write(b)
	}
	for _, c := range readLines[struct{ ID, Test string }](t, "elsewhere.jsonl") {
		require.Contains(t, tests.String(), "\nfunc "+c.Test+"(", c.ID)
		ids = append(ids, c.ID)
	}
	slices.Sort(ids)
	require.Equal(t, ids, slices.Compact(slices.Clone(ids)), "twice")
}
