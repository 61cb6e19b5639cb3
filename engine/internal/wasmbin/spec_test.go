// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasmbin

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// specCommand is a command of the specification's test scripts, as wast2json
// writes them.
type specCommand struct {
	Type, Name, Filename, As string
	Line                     int
	Action                   struct {
		Type, Field, Module string
		Args                []struct {
			Type  string
			Value any // a string, or one for each lane of a vector
		}
	}
}

// args returns the arguments as bits.
func (c *specCommand) args() []uint64 {
	var out []uint64
	for _, a := range c.Action.Args {
		lanes, ok := a.Value.([]any)
		if !ok {
			out = append(out, specBits(a.Value.(string)))
			continue
		}
		var v [16]byte
		size := 16 / len(lanes)
		for i, l := range lanes {
			var lane [8]byte
			binary.LittleEndian.PutUint64(lane[:], specBits(l.(string)))
			copy(v[i*size:(i+1)*size], lane[:])
		}
		out = append(out, binary.LittleEndian.Uint64(v[:]), binary.LittleEndian.Uint64(v[8:]))
	}
	return out
}

func specBits(s string) uint64 {
	if u, err := strconv.ParseUint(s, 10, 64); err == nil {
		return u
	}
	i, _ := strconv.ParseInt(s, 10, 64) // null and nan patterns are 0
	return uint64(i)
}

// specWorld is a runtime with the modules of one script.
type specWorld struct {
	*host
	named map[string]api.Module
	last  api.Module
}

// invoke runs an action and returns what came of it, without the addresses
// that references are.
func (w *specWorld) invoke(t *testing.T, c *specCommand) string {
	m := w.last
	if c.Action.Module != "" {
		m = w.named[c.Action.Module]
	}
	if m == nil || c.Action.Type != "invoke" || m.ExportedFunction(c.Action.Field) == nil {
		return ""
	}
	f := m.ExportedFunction(c.Action.Field)
	res, err := f.Call(t.Context(), c.args()...)
	if err != nil {
		return strings.SplitN(err.Error(), "\n", 2)[0]
	}
	if types := f.Definition().ResultTypes(); len(types) == len(res) {
		for i, typ := range types {
			switch typ {
			case api.ValueTypeI32, api.ValueTypeF32:
				res[i] = uint64(uint32(res[i]))
			case api.ValueTypeExternref, api.ValueType(FuncRef):
				res[i] = min(res[i], 1)
			}
		}
	}
	return fmt.Sprint(res)
}

// TestSpecification runs the scripts of the specification's test suite that
// come with wazero, with the modules as they are and rewritten, and compares
// every result. What is invalid must stay invalid.
func TestSpecification(t *testing.T) {
	if testing.Short() || raceDetector {
		t.Skip("takes ten seconds, ten times as long under the race detector, for nothing: there is no concurrency")
	}
	dir, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "github.com/tetratelabs/wazero").Output()
	if err != nil {
		t.Skip("the go command or wazero's source is not there: ", err)
	}
	root := filepath.Join(strings.TrimSpace(string(dir)), "internal", "integration_test", "spectest")
	spectest, err := os.ReadFile(filepath.Join(root, "testdata", "spectest.wasm"))
	if err != nil {
		t.Skip("wazero comes without the test suite: ", err)
	}
	for _, suite := range []string{"v2", "tail-call", "extended-const", "exception-handling"} {
		scripts, err := filepath.Glob(filepath.Join(root, suite, "testdata", "*.json"))
		require.NoError(t, err)
		require.NotEmpty(t, scripts)
		calls, yields := 0, 0
		for _, script := range scripts {
			c, y := runScript(t, script, spectest)
			calls += c
			yields += y
		}
		t.Logf("%s: %d calls compared, %d yields", suite, calls, yields)
		require.Positive(t, calls)
		require.Positive(t, yields)
	}
}

func runScript(t *testing.T, script string, spectest []byte) (calls, yields int) {
	text, err := os.ReadFile(script)
	require.NoError(t, err)
	var doc struct{ Commands []specCommand }
	require.NoError(t, json.Unmarshal(text, &doc))

	var worlds [2]specWorld // the original's and the rewritten one's
	for k := range worlds {
		worlds[k] = specWorld{host: newHost(t), named: map[string]api.Module{}}
		worlds[k].budget = leastBudget
		_, err := worlds[k].InstantiateWithConfig(t.Context(), spectest, wazero.NewModuleConfig().WithName("spectest"))
		require.NoError(t, err)
	}
	files := map[string]string{} // of modules, by their name; "" is the last one
	both := func(file, as string) (errs [2]error) {
		var bins [2][]byte
		var err error
		bins[0], err = os.ReadFile(filepath.Join(filepath.Dir(script), file))
		require.NoError(t, err)
		bins[1], _, err = Rewrite(bins[0], Options{})
		for k := range worlds {
			w := &worlds[k]
			if w.last, errs[k] = nil, err; k == 1 && err != nil {
				break
			}
			m, err := w.InstantiateWithConfig(t.Context(), bins[k], wazero.NewModuleConfig().WithName(as).WithStartFunctions())
			if errs[k] = err; err == nil {
				w.last = m
			}
		}
		return errs
	}
	for i := range doc.Commands {
		c := &doc.Commands[i]
		at := fmt.Sprintf("%s:%d", filepath.Base(script), c.Line)
		switch c.Type {
		case "module", "assert_invalid", "assert_malformed", "assert_unlinkable", "assert_uninstantiable":
			if !strings.HasSuffix(c.Filename, ".wasm") {
				continue // a text module
			}
			saved := [2]api.Module{worlds[0].last, worlds[1].last}
			errs := both(c.Filename, "")
			require.Equal(t, errs[0] == nil, errs[1] == nil, "%s: %v, rewritten: %v", at, errs[0], errs[1])
			for k := range worlds {
				if c.Type != "module" {
					worlds[k].last = saved[k]
				} else if c.Name != "" {
					worlds[k].named[c.Name] = worlds[k].last
				}
			}
			if c.Type == "module" {
				files[""], files[c.Name] = c.Filename, c.Filename
			}
		case "register":
			errs := both(files[c.Name], c.As)
			require.Equal(t, [2]error{}, errs, at)
			for k := range worlds {
				if c.Name != "" {
					worlds[k].named[c.Name] = worlds[k].last
				}
			}
		case "action", "assert_return", "assert_trap", "assert_exhaustion", "assert_exception":
			want := worlds[0].invoke(t, c)
			require.Equal(t, want, worlds[1].invoke(t, c), "%s: %s", at, c.Action.Field)
			calls++
		}
	}
	for k := range worlds {
		_ = worlds[k].Close(t.Context())
	}
	return calls, worlds[1].yields
}
